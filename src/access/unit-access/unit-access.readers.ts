import { Injectable } from '@nestjs/common';
import { UnitActivity } from '../../locks/index.js';
import { SiteDirectory } from '../../sites/index.js';
import { UnitDirectory } from '../../units/index.js';
import { TenantAccessViews } from '../tenant-access/tenant-access.views.js';

/** What the query reads from beside its own views. */
@Injectable()
export class UnitAccessReaders {
  constructor(
    readonly sites: SiteDirectory,
    readonly units: UnitDirectory,
    readonly activity: UnitActivity,
    readonly views: TenantAccessViews,
  ) {}
}
