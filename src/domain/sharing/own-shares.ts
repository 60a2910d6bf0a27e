import { Injectable } from '@nestjs/common';
import { TenantAccessViews } from '#domain/access/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { isPassHolderId, TenantAccounts } from '#domain/tenants/index.js';
import {
  findTenantShare,
  type FoundTenantShare,
  isOfferLocked,
  openOffers,
  type ShareOffer,
  UnitDirectory,
  type UnitDocument,
} from '#domain/units/index.js';
import type { TenantPrincipal } from '#kernel/principals.js';

/** An invitation to the person who asks. */
export interface ReceivedOffer {
  readonly unit: UnitDocument;
  readonly offer: ShareOffer;
}

export type OwnShare = FoundTenantShare & { readonly unit: UnitDocument };

/**
 * Finds what an account shares, has, or is invited to. A person may have several accounts at the location, by one phone: an
 * invitation to one of them is one to all. Every method throws StoreUnavailableError.
 */
@Injectable()
export class OwnShares {
  constructor(
    private readonly views: TenantAccessViews,
    private readonly units: UnitDirectory,
    private readonly accounts: TenantAccounts,
    private readonly clocks: CompanyClocks,
  ) {}

  /** The units that the account rents. */
  async listRented(tenant_id: string): Promise<UnitDocument[]> {
    const units = await this.#unitsOf([tenant_id]);
    return units.filter(({ tenancy }) => tenancy?.tenant_id === tenant_id);
  }

  /** Without those that are closed by wrong codes. */
  async listReceived(principal: TenantPrincipal): Promise<ReceivedOffer[]> {
    const now = await this.clocks.now(principal.company_id);
    const invited = await this.#accountsOf(principal);
    const units = await this.#unitsOf([...invited]);
    return units.flatMap((unit) =>
      openOffers(unit.offers, now)
        .filter((offer) => invited.has(offer.tenant_id) && !isOfferLocked(offer))
        .map((offer) => ({ unit, offer })),
    );
  }

  /** The share that the account gave, has, or is invited to. Undefined if there is none, or it is over. */
  async findShare(share_id: string, principal: TenantPrincipal): Promise<OwnShare | undefined> {
    const now = await this.clocks.now(principal.company_id);
    const own = await this.#accountsOf(principal);
    for (const unit of await this.#unitsOf([...own])) {
      const found = findTenantShare(unit, share_id, now);
      if (found === undefined) continue;
      const isGiver = unit.tenancy?.tenant_id === principal.id;
      const isGuest =
        found.kind === 'offer' ? own.has(found.offer.tenant_id) : found.share.tenant_id === principal.id;
      if (isGiver || isGuest) return { ...found, unit };
    }
    return undefined;
  }

  /** Of the person who asks, at the location. */
  async #accountsOf({ id, location_id }: TenantPrincipal): Promise<ReadonlySet<string>> {
    const [own] = await this.accounts.byTenantId([id]);
    const phone = own?.phone ?? null;
    // An account that holds passes takes no share: it goes with its passes.
    if (phone === null || isPassHolderId(own!.pms_tenant_id)) return new Set([id]);
    const others = await this.accounts.byPhone(phone);
    const here = others.filter((one) => one.location_id === location_id);
    return new Set([id, ...here.map(({ tenant_id }) => tenant_id)]);
  }

  /** The units that these accounts rent, share, had before or are invited to. */
  async #unitsOf(tenant_ids: readonly string[]): Promise<UnitDocument[]> {
    const documents = await this.views.findDocuments(tenant_ids);
    const streams = documents.flatMap((document) => document?.units.map(({ stream }) => stream) ?? []);
    const units = await this.units.byStreams([...new Set(streams)]);
    return units.filter((unit) => unit !== undefined);
  }
}
