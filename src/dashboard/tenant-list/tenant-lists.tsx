import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import type { OperatorContext } from '#web/request-context.js';
import { mayDo } from '../parts/roles.js';
import { type AskedTenants, TenantListReader } from './tenant-list.reader.js';
import { rentingIn, shownPath, TenantList } from './tenant-list-view.js';
import { tenantPeekPanel } from './tenant-peek.js';
import { TenantPeekReader } from './tenant-peek.reader.js';
import type { TenantSite } from './tenant-table.js';

interface Place {
  /** The page of the list. */
  readonly path: string;
  /** The sites to choose from; undefined on the page of one. */
  readonly sites: readonly TenantSite[] | undefined;
  /** The tenant in the panel, as the address has it. */
  readonly peeked: string | undefined;
}

interface ShownTenants {
  readonly view: VNode;
  readonly panel: VNode;
  /** How many rent. Undefined: the list is not read whole, or a search narrows it. */
  readonly renting: number | undefined;
}

/** Shows a list of tenants, and the panel about one of them. */
@Injectable()
export class TenantLists {
  constructor(
    private readonly tenants: TenantListReader,
    private readonly peeks: TenantPeekReader,
  ) {}

  /** @throws StoreUnavailableError, GivenUpError */
  async show(
    asked: AskedTenants,
    { path, sites, peeked }: Place,
    context: OperatorContext,
  ): Promise<ShownTenants> {
    const list = await this.tenants.read(asked, context);
    const mayChange = mayDo(context.principal.role, 'manager');
    const shown = { list, asked, path, sites };
    const panel = tenantPeekPanel({
      of: await this.peeks.find(sites ?? asked.sites, peeked),
      path: shownPath(shown),
      rows: list.rows,
      mayChange,
    });
    return {
      view: <TenantList {...shown} {...{ peeked, mayChange }} />,
      panel,
      renting: rentingIn(list, asked),
    };
  }
}
