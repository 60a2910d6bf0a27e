// Made of the service's own description by `npm run contracts`. Do not edit.

export interface paths {
    "/api/operator/companies": {
        parameters: {
        };
        /**
         * List companies
         * @description An operator of some companies gets these on one page. Others get all companies, by pages.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The `next_cursor` of the page before. Left out: the first page. It is refused if this query did not give it. */
                    cursor?: string;
                    /** @description Most entries of the page, 1 to 500. Left out: 100. */
                    limit?: number;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CompanyPageAnswer"];
                    };
                };
            };
        };
        /**
         * Register a company
         * @description Only for an operator of all companies (403 otherwise). A sandbox stays one. Names may repeat.
         *
         *     Credential: an operator's session. Least role: `manager`.
         *
         *     Takes an `Idempotency-Key`.
         */
        post: {
            parameters: {
                header?: {
                    /** @description Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused. */
                    "Idempotency-Key"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewCompanyBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CompanyAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/companies/{company_id}": {
        parameters: {
        };
        /**
         * Read a company with its locations
         * @description All locations are listed at once, each with its policy.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
                path: {
                    /** @description The company. Of an operator with a scope, one within it; another is 404. */
                    company_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CompanyWithLocationsAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/companies/{company_id}/api-tokens": {
        parameters: {
        };
        /**
         * List the API tokens of a company, without their values
         * @description Revoked and expired tokens are listed too. A value is shown once, when its token is made.
         *
         *     Credential: an operator's session. Least role: `admin`.
         */
        get: {
            parameters: {
                path: {
                    /** @description The company. Of an operator with a scope, one within it; another is 404. */
                    company_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ApiTokensAnswer"];
                    };
                };
            };
        };
        /**
         * Issue an API token
         * @description The value is shown in this answer and never again.
         *
         *     Credential: an operator's session. Least role: `admin`.
         *
         *     Takes an `Idempotency-Key`.
         */
        post: {
            parameters: {
                header?: {
                    /** @description Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The company. Of an operator with a scope, one within it; another is 404. */
                    company_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ApiTokenBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["IssuedApiTokenAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/companies/{company_id}/api-tokens/{token_id}": {
        parameters: {
        };
        /**
         * Revoke an API token
         * @description Holds from the next request on, and cannot be taken back. A revoked token stays in the list.
         *
         *     Credential: an operator's session. Least role: `admin`.
         */
        delete: {
            parameters: {
                path: {
                    /** @description The company. Of an operator with a scope, one within it; another is 404. */
                    company_id: string;
                    /** @description The service's identifier of the API token. */
                    token_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Acknowledgement"];
                    };
                };
            };
        };
    };
    "/api/operator/companies/{company_id}/changes": {
        parameters: {
        };
        /**
         * List what happened in the last 24 hours, newest first
         * @description The company's events since this time yesterday. `data.occurred_at` orders reports of apps. `GET /api/v2/events` has all.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The `next_cursor` of the page before. Left out: the first page. It is refused if this query did not give it. */
                    cursor?: string;
                    /** @description Most entries of the page, 1 to 500. Left out: 100. */
                    limit?: number;
                    /** @description Only events of this type. Left out: all. */
                    type?: "AccessOverridden" | "AccessOverrideCleared" | "EntryPointActivityReported" | "EntryPointAdded" | "EntryPointChanged" | "LocationOpened" | "LocationPolicyChanged" | "LocationRenamed" | "LockActivityReported" | "LockAdded" | "LockAttached" | "LockDetached" | "TenantDetailsChanged" | "TenantErased" | "TenantMovedIn" | "TenantMovedOut" | "TenantSessionsEnded" | "UnitFactsChanged" | "UnitRegistered" | "UnitRenamed" | "UnitRetired" | "UnitRevived" | "UnitShareEnded" | "UnitShared" | "UnitUnzoned" | "UnitZoned" | "ZoneAdded";
                };
                path: {
                    /** @description The company. Of an operator with a scope, one within it; another is 404. */
                    company_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RecentChangesAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/companies/{company_id}/clock": {
        parameters: {
        };
        /**
         * Set the clock of a sandbox forward
         * @description Only for a sandbox; another company is 409.
         *
         *     Credential: an operator's session. Least role: `manager`.
         *
         *     Takes an `Idempotency-Key`.
         */
        post: {
            parameters: {
                header?: {
                    /** @description Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The company. Of an operator with a scope, one within it; another is 404. */
                    company_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ClockAdvanceBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CompanyAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/companies/{company_id}/locations": {
        parameters: {
        };
        /**
         * Add a location
         * @description Policy fields left out have their defaults.
         *
         *     Credential: an operator's session. Least role: `manager`.
         *
         *     Takes an `Idempotency-Key`.
         */
        post: {
            parameters: {
                header?: {
                    /** @description Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The company. Of an operator with a scope, one within it; another is 404. */
                    company_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewLocationBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LocationAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/companies/{company_id}/messages": {
        parameters: {
        };
        /**
         * Read the test numbers of a sandbox and its last 20 text messages
         * @description Only for a sandbox; another company is 404.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
                path: {
                    /** @description The company. Of an operator with a scope, one within it; another is 404. */
                    company_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SandboxMessagesAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/companies/{company_id}/pull-sources": {
        parameters: {
        };
        /**
         * List the pull sources of a company
         * @description All of them, each with the outcome of its newest run.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
                path: {
                    /** @description The company. Of an operator with a scope, one within it; another is 404. */
                    company_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PullSourcesAnswer"];
                    };
                };
            };
        };
        /**
         * Add a pull source
         * @description The first run is one interval after creation.
         *
         *     Credential: an operator's session. Least role: `manager`.
         *
         *     Takes an `Idempotency-Key`.
         */
        post: {
            parameters: {
                header?: {
                    /** @description Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The company. Of an operator with a scope, one within it; another is 404. */
                    company_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PullSourceBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PullSourceAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/companies/{company_id}/today": {
        parameters: {
        };
        /**
         * Read recent changes, denied units now and soon, late pull sources, silent tokens and rejected rows
         * @description Counts events of 24 h and looks 7 days ahead. Lists name the first entries; the counts are of all.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description `locked_out.first` and `in_auction.first` list only units of this location. Left out: of all. */
                    location_id?: string;
                    /** @description The same lists name only units with this reason. Units in auction have none. Left out: with any. */
                    reason?: "system_lockout" | "system_exempt" | "future_move_in" | "pms_exempt" | "pms_lockout" | "delinquent" | "blanket_delinquency" | "active";
                    /** @description `locked_out.next_skip` of the page before. Left out: 0. */
                    skip?: number;
                };
                path: {
                    /** @description The company. Of an operator with a scope, one within it; another is 404. */
                    company_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TodayAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/entry-points/{entry_point_id}": {
        parameters: {
        };
        /**
         * Change an entry point
         * @description Fields left out stay. `zone_ids` replaces all zones: each must be a zone of the same location (422).
         *
         *     Credential: an operator's session. Least role: `manager`.
         */
        patch: {
            parameters: {
                path: {
                    /** @description The service's identifier of the gate, door or elevator. Of an operator with a scope, one within it; another is 404. */
                    entry_point_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EntryPointChangeBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EntryPointAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/entry-points/{entry_point_id}/activity": {
        parameters: {
        };
        /**
         * Read the reports of an entry point, newest first
         * @description Reports of apps. `occurred_at` orders them; `from` and `to` narrow it.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The `next_cursor` of the page before. Left out: the first page. It is refused if this query did not give it. */
                    cursor?: string;
                    /** @description Only entries at or after this instant. Left out: from the beginning. */
                    from?: string;
                    /** @description Most entries of the page, 1 to 500. Left out: 100. */
                    limit?: number;
                    /** @description Only entries before this instant. Left out: up to now. */
                    to?: string;
                };
                path: {
                    /** @description The service's identifier of the gate, door or elevator. Of an operator with a scope, one within it; another is 404. */
                    entry_point_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OperatorActivityPageAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/entry-points/{entry_point_id}/provisioning": {
        parameters: {
        };
        /**
         * Read the secret with which an entry point's reader is set up
         * @description Each call writes an event.
         *
         *     Credential: an operator's session. Least role: `admin`.
         */
        get: {
            parameters: {
                path: {
                    /** @description The service's identifier of the gate, door or elevator. Of an operator with a scope, one within it; another is 404. */
                    entry_point_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GetEntryPointProvisioningAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/locations/{location_id}": {
        parameters: {
        };
        /**
         * Read a location with its policy
         * @description Its policy decides about access at each read.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
                path: {
                    /** @description The location. Of an operator with a scope, one within it; another is 404. */
                    location_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LocationAnswer"];
                    };
                };
            };
        };
        /**
         * Change a location or its policy; all its units are decided again
         * @description Fields left out stay. Every unit of the location is decided again. `effect` names the units that are locked or unlocked by it.
         *
         *     Credential: an operator's session. Least role: `manager`.
         */
        patch: {
            parameters: {
                query?: {
                    /** @description `true`: answers what would happen, and writes nothing. Left out: `false`. */
                    dry_run?: boolean;
                };
                path: {
                    /** @description The location. Of an operator with a scope, one within it; another is 404. */
                    location_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LocationChangeBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ChangedLocationAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/locations/{location_id}/entry-points": {
        parameters: {
        };
        /**
         * List the entry points of a location
         * @description All of them, those out of service too.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
                path: {
                    /** @description The location. Of an operator with a scope, one within it; another is 404. */
                    location_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ListEntryPointsAnswer"];
                    };
                };
            };
        };
        /**
         * Add an entry point
         * @description It opens to tenants with a permitted unit in one of its zones: each must be a zone of the location (422).
         *
         *     Credential: an operator's session. Least role: `manager`.
         *
         *     Takes an `Idempotency-Key`.
         */
        post: {
            parameters: {
                header?: {
                    /** @description Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The location. Of an operator with a scope, one within it; another is 404. */
                    location_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewEntryPointBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EntryPointAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/locations/{location_id}/forecast": {
        parameters: {
        };
        /**
         * Read which units change state on which date, if nothing is written
         * @description The changes that the calendar alone makes. Totals cover the location, `changes` come in pages.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The `next_cursor` of the page before. Left out: the first page. It is refused if this query did not give it. */
                    cursor?: string;
                    /** @description Days to look ahead, from today. 1 to 60. Left out: 30. */
                    days?: number;
                    /** @description Most entries of the page, 1 to 500. Left out: 100. */
                    limit?: number;
                };
                path: {
                    /** @description The location. Of an operator with a scope, one within it; another is 404. */
                    location_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ForecastAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/locations/{location_id}/locks": {
        parameters: {
        };
        /**
         * List the locks of a location
         * @description All of them, those on no unit too.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
                path: {
                    /** @description The location. Of an operator with a scope, one within it; another is 404. */
                    location_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ListLocksAnswer"];
                    };
                };
            };
        };
        /**
         * Add a lock
         * @description It opens nothing until it is put on a unit.
         *
         *     Credential: an operator's session. Least role: `manager`.
         *
         *     Takes an `Idempotency-Key`.
         */
        post: {
            parameters: {
                header?: {
                    /** @description Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The location. Of an operator with a scope, one within it; another is 404. */
                    location_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewLockBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LockAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/locations/{location_id}/policy-backtest": {
        parameters: {
        };
        /**
         * Try out another policy on what happened
         * @description Answers who would have been denied or spared, by changes of access: totals first, then pages of changes by unit. Writes nothing. Send the same body with `next_cursor` for the next page.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         *
         *     Takes an `Idempotency-Key`.
         */
        post: {
            parameters: {
                query?: {
                    /** @description The `next_cursor` of the page before. Left out: the first page. It is refused if this query did not give it. */
                    cursor?: string;
                    /** @description Most entries of the page, 1 to 5,000. Left out: 100. */
                    limit?: number;
                };
                header?: {
                    /** @description Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The location. Of an operator with a scope, one within it; another is 404. */
                    location_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BacktestBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BacktestAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/locations/{location_id}/setup": {
        parameters: {
        };
        /**
         * Put up to 500 units into zones and locks on them
         * @description Each row puts one unit into a zone and a lock on it. Missing zones and locks are made. Other zones and locks of the unit stay. A unit that does not exist is a fault of its row, or is made with `add_units`. The serial number identifies the lock; without one, its name does. If a row has a fault, nothing of that row is done. The other rows apply, and the status is 200.
         *
         *     Credential: an operator's session. Least role: `manager`.
         *
         *     Takes an `Idempotency-Key`.
         */
        post: {
            parameters: {
                query?: {
                    /** @description `true`: answers what would happen, and writes nothing. Left out: `false`. */
                    dry_run?: boolean;
                };
                header?: {
                    /** @description Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The location. Of an operator with a scope, one within it; another is 404. */
                    location_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SetUpLocation"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LocationSetupAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/locations/{location_id}/tenants": {
        parameters: {
        };
        /**
         * Create a tenant account
         * @description At a location without a PMS, or before the first push. The PMS finds the account by `pms_tenant_id`. A taken one is refused (422).
         *
         *     Credential: an operator's session. Least role: `manager`.
         *
         *     Takes an `Idempotency-Key`.
         */
        post: {
            parameters: {
                header?: {
                    /** @description Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The location. Of an operator with a scope, one within it; another is 404. */
                    location_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewTenant"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TenantWrittenAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/locations/{location_id}/units": {
        parameters: {
        };
        /**
         * Create a standalone unit
         * @description For a location without a PMS: operators write the data of the unit.
         *
         *     Credential: an operator's session. Least role: `manager`.
         *
         *     Takes an `Idempotency-Key`.
         */
        post: {
            parameters: {
                header?: {
                    /** @description Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The location. Of an operator with a scope, one within it; another is 404. */
                    location_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewUnitBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UnitWrittenAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/locations/{location_id}/zones": {
        parameters: {
        };
        /**
         * List the zones of a location
         * @description All of them. A unit shows its own zones.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
                path: {
                    /** @description The location. Of an operator with a scope, one within it; another is 404. */
                    location_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ListZonesAnswer"];
                    };
                };
            };
        };
        /**
         * Add a zone
         * @description The new zone has no units and no entry points. Names may repeat.
         *
         *     Credential: an operator's session. Least role: `manager`.
         *
         *     Takes an `Idempotency-Key`.
         */
        post: {
            parameters: {
                header?: {
                    /** @description Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The location. Of an operator with a scope, one within it; another is 404. */
                    location_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NameBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ZoneAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/locks/{lock_id}/activity": {
        parameters: {
        };
        /**
         * Read the reports of a lock, newest first
         * @description Reports of apps, whichever unit the lock was on. `occurred_at` orders them; `from` and `to` narrow it.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The `next_cursor` of the page before. Left out: the first page. It is refused if this query did not give it. */
                    cursor?: string;
                    /** @description Only entries at or after this instant. Left out: from the beginning. */
                    from?: string;
                    /** @description Most entries of the page, 1 to 500. Left out: 100. */
                    limit?: number;
                    /** @description Only entries before this instant. Left out: up to now. */
                    to?: string;
                };
                path: {
                    /** @description The service's identifier of the lock. Of an operator with a scope, one within it; another is 404. */
                    lock_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OperatorActivityPageAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/locks/{lock_id}/provisioning": {
        parameters: {
        };
        /**
         * Read the secret with which a lock is set up
         * @description Each call writes an event.
         *
         *     Credential: an operator's session. Least role: `admin`.
         */
        get: {
            parameters: {
                path: {
                    /** @description The service's identifier of the lock. Of an operator with a scope, one within it; another is 404. */
                    lock_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GetLockProvisioningAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/operators": {
        parameters: {
        };
        /**
         * List operators
         * @description An admin of some companies sees only operators of these companies.
         *
         *     Credential: an operator's session. Least role: `admin`.
         */
        get: {
            parameters: {
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ListOperatorsAnswer"];
                    };
                };
            };
        };
        /**
         * Add an operator
         * @description The e-mail must be free and the password hard to guess (422). `companies` must be companies that you see yourself.
         *
         *     Credential: an operator's session. Least role: `admin`.
         *
         *     Takes an `Idempotency-Key`.
         */
        post: {
            parameters: {
                header?: {
                    /** @description Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused. */
                    "Idempotency-Key"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewOperatorBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OperatorAccountAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/operators/{operator_id}": {
        parameters: {
        };
        /**
         * Remove an operator
         * @description The last admin of all companies cannot be removed (409).
         *
         *     Credential: an operator's session. Least role: `admin`.
         */
        delete: {
            parameters: {
                path: {
                    /** @description The service's identifier of the operator. */
                    operator_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Acknowledgement"];
                    };
                };
            };
        };
        /**
         * Change an operator
         * @description Fields left out stay. A changed password or role ends the sessions. The last admin stays (409).
         *
         *     Credential: an operator's session. Least role: `admin`.
         */
        patch: {
            parameters: {
                path: {
                    /** @description The service's identifier of the operator. */
                    operator_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OperatorChangeBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OperatorAccountAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/operators/{operator_id}/second-factor": {
        parameters: {
        };
        /**
         * Remove the second factor of another operator; all their sessions end
         * @description For somebody who lost it. Remove your own with password and code instead (409 here).
         *
         *     Credential: an operator's session. Least role: `admin`.
         */
        delete: {
            parameters: {
                path: {
                    /** @description The service's identifier of the operator. */
                    operator_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OperatorAccountAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/pull-sources/{pull_source_id}": {
        parameters: {
        };
        /**
         * Read a pull source
         * @description With the outcome of its newest run. The `Authorization` header is never shown.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
                path: {
                    /** @description The service's identifier of the pull source. Of an operator with a scope, one within it; another is 404. */
                    pull_source_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PullSourceAnswer"];
                    };
                };
            };
        };
        /**
         * Change a pull source
         * @description Fields left out stay. Only an admin may set the credential, or change `url` while a credential is set (403). If a manager set the address, a new credential needs `url` as well (422).
         *
         *     Credential: an operator's session. Least role: `manager`.
         */
        patch: {
            parameters: {
                path: {
                    /** @description The service's identifier of the pull source. Of an operator with a scope, one within it; another is 404. */
                    pull_source_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PullSourceChangeBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PullSourceAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/pull-sources/{pull_source_id}/runs": {
        parameters: {
        };
        /**
         * List the runs of a pull source, newest first
         * @description Each with its counts and first refused rows. `limit` is at most 100.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The `next_cursor` of the page before. Left out: the first page. It is refused if this query did not give it. */
                    cursor?: string;
                    /** @description Most entries of the page, 1 to 100. Left out: 20. */
                    limit?: number;
                };
                path: {
                    /** @description The service's identifier of the pull source. Of an operator with a scope, one within it; another is 404. */
                    pull_source_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PullRunPageAnswer"];
                    };
                };
            };
        };
        /**
         * Run a pull source now
         * @description During a run the answer is that run.
         *
         *     Credential: an operator's session. Least role: `manager`.
         *
         *     Takes an `Idempotency-Key`.
         */
        post: {
            parameters: {
                header?: {
                    /** @description Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The service's identifier of the pull source. Of an operator with a scope, one within it; another is 404. */
                    pull_source_id: string;
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PullRunAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/pull-sources/{pull_source_id}/test": {
        parameters: {
        };
        /**
         * Test the connection to a pull source
         * @description Fetches the first page of the source once, within 8 seconds, and checks its first 100 rows as a run does. Writes nothing.
         *
         *     Credential: an operator's session. Least role: `manager`.
         *
         *     Takes an `Idempotency-Key`.
         */
        post: {
            parameters: {
                header?: {
                    /** @description Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The service's identifier of the pull source. Of an operator with a scope, one within it; another is 404. */
                    pull_source_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PullSourceTestAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/session": {
        parameters: {
        };
        /**
         * Read who has signed in
         * @description Role and scope as they are now.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OperatorAccountAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/session/password": {
        parameters: {
        };
        /**
         * Change the own password; all sessions end
         * @description Ends every session of the operator, this one too.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        patch: {
            parameters: {
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasswordBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Acknowledgement"];
                    };
                };
            };
        };
    };
    "/api/operator/session/second-factor": {
        parameters: {
        };
        /**
         * Read whether the own second factor is set
         * @description `required` holds for every operator: without a factor all other routes answer 403 `second_factor_required`.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SecondFactorAnswer"];
                    };
                };
            };
        };
        /**
         * Set the own second factor; other sessions end
         * @description Send `setup` and the first code. Answers ten recovery codes, shown once. A wrong code or an old set-up is refused (422).
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        put: {
            parameters: {
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SecondFactorSetupBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RecoveryCodesAnswer"];
                    };
                };
            };
        };
        /**
         * Begin to set the own second factor
         * @description Needs the password. The set-up ends after 10 minutes; nothing is set until its first code is sent. With a factor set it is refused (409).
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        post: {
            parameters: {
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CurrentPasswordBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SecondFactorSetupAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/session/second-factor/removal": {
        parameters: {
        };
        /**
         * Remove the own second factor; other sessions end
         * @description Needs password and code. A wrong one is refused (422); too many of them answer 429.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        post: {
            parameters: {
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SecondFactorRemovalBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Acknowledgement"];
                    };
                };
            };
        };
    };
    "/api/operator/sessions": {
        parameters: {
        };
        /**
         * Sign in
         * @description Answers a session of 12 h that ends after 60 min without a request. 5 failed sign-ins in 60 s for an address, or 20 from one client, answer 429.
         *
         *     Credential: none.
         */
        post: {
            parameters: {
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LoginBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignInAnswer"];
                    };
                };
            };
        };
        /**
         * End the session that asks
         * @description The token, or the cookie, is refused from then on. Other sessions stay.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        delete: {
            parameters: {
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Acknowledgement"];
                    };
                };
            };
        };
    };
    "/api/operator/tenants": {
        parameters: {
        };
        /**
         * Find tenants by the beginning of a name, an e-mail or a phone number, or by a whole PMS identifier
         * @description Searches all companies that you see. The parameters narrow the search.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only those of this company. Left out: of all companies that you see. A company that you do not see is 404. */
                    company_id?: string;
                    /** @description The `next_cursor` of the page before. Left out: the first page. It is refused if this query did not give it. */
                    cursor?: string;
                    /** @description Most entries of the page, 1 to 500. Left out: 100. */
                    limit?: number;
                    /** @description Only those of this location. Left out: of all companies that you see. A location that you do not see is 404. */
                    location_id?: string;
                    /** @description The beginning of any word of a name, of an e-mail or a phone number, letters of any case, or the PMS's whole identifier. Left out: all tenants. */
                    q?: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OperatorTenantPageAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/tenants/{tenant_id}": {
        parameters: {
        };
        /**
         * Read a tenant with all that the tenant has
         * @description Units, shares, sessions and keys given out, each list bounded.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
                path: {
                    /** @description The service's identifier of the tenant's account. Of an operator with a scope, one within it; another is 404. */
                    tenant_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OperatorTenantDetailAnswer"];
                    };
                };
            };
        };
        /**
         * Change details of a tenant
         * @description Fields left out stay, null clears. A changed phone ends the sessions. A change gives an erased tenant details again.
         *
         *     Credential: an operator's session. Least role: `manager`.
         */
        patch: {
            parameters: {
                path: {
                    /** @description The service's identifier of the tenant's account. Of an operator with a scope, one within it; another is 404. */
                    tenant_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TenantChange"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TenantWrittenAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/tenants/{tenant_id}/personal-data": {
        parameters: {
        };
        /**
         * Erase the personal details of a tenant
         * @description Name, e-mail, phone, sessions and notes are erased; the history stays. Later writes of the PMS do not bring them back: only an operator's change does.
         *
         *     Credential: an operator's session. Least role: `manager`.
         */
        delete: {
            parameters: {
                path: {
                    /** @description The service's identifier of the tenant's account. Of an operator with a scope, one within it; another is 404. */
                    tenant_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TenantWrittenAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/tenants/{tenant_id}/sessions": {
        parameters: {
        };
        /**
         * Sign out every app of a tenant
         * @description The tokens are refused from then on. Keys given out work offline until they expire.
         *
         *     Credential: an operator's session. Least role: `manager`.
         */
        delete: {
            parameters: {
                path: {
                    /** @description The service's identifier of the tenant's account. Of an operator with a scope, one within it; another is 404. */
                    tenant_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TenantWrittenAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/units": {
        parameters: {
        };
        /**
         * Find units
         * @description Searches all companies that you see. The parameters narrow the search. Retired units are found only if `retired` is true.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only those of this company. Left out: of all companies that you see. A company that you do not see is 404. */
                    company_id?: string;
                    /** @description The `next_cursor` of the page before. Left out: the first page. It is refused if this query did not give it. */
                    cursor?: string;
                    /** @description Most entries of the page, 1 to 500. Left out: 100. */
                    limit?: number;
                    /** @description Only those of this location. Left out: of all companies that you see. A location that you do not see is 404. */
                    location_id?: string;
                    /** @description A part of the unit's name or key, or the beginning of a word of its tenant's name, letters of any case. Left out: all units. */
                    q?: string;
                    /** @description Only units with this reason now. Left out: all. */
                    reason?: "system_lockout" | "system_exempt" | "future_move_in" | "pms_exempt" | "pms_lockout" | "delinquent" | "blanket_delinquency" | "active";
                    /** @description `true`: only retired units. Left out: only others. */
                    retired?: boolean;
                    /** @description Only units in this state now. Left out: all. */
                    state?: "vacant" | "tenant_permitted" | "tenant_denied" | "auction" | "unrentable";
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OperatorUnitPageAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/units/{unit_id}": {
        parameters: {
        };
        /**
         * Read a unit with its decision, locks, zones, tenant and keys
         * @description Facts, decision with checks, override, locks, zones, tenant, shares and keys given out.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
                path: {
                    /** @description The service's identifier of the unit. Of an operator with a scope, one within it; another is 404. */
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OperatorUnitDetailAnswer"];
                    };
                };
            };
        };
        /**
         * Change facts of a standalone unit
         * @description Fields left out stay. A unit of a PMS is refused (409).
         *
         *     Credential: an operator's session. Least role: `manager`.
         */
        patch: {
            parameters: {
                path: {
                    /** @description The service's identifier of the unit. Of an operator with a scope, one within it; another is 404. */
                    unit_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FactsBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UnitWrittenAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/units/{unit_id}/activity": {
        parameters: {
        };
        /**
         * Read the reports of the locks of a unit, newest first
         * @description Reports of the locks that were on the unit. `occurred_at` orders them; `from` and `to` narrow it.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The `next_cursor` of the page before. Left out: the first page. It is refused if this query did not give it. */
                    cursor?: string;
                    /** @description Only entries at or after this instant. Left out: from the beginning. */
                    from?: string;
                    /** @description Most entries of the page, 1 to 500. Left out: 100. */
                    limit?: number;
                    /** @description Only entries before this instant. Left out: up to now. */
                    to?: string;
                };
                path: {
                    /** @description The service's identifier of the unit. Of an operator with a scope, one within it; another is 404. */
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OperatorActivityPageAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/units/{unit_id}/as-of": {
        parameters: {
        };
        /**
         * Read a unit as of an instant
         * @description Facts, policy and decision as they stood then. Before the unit existed the answer is 404.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
                query: {
                    /** @description The instant to read. Before the unit existed the answer is 404. For a future instant it is what the calendar makes of the present facts and policy, if nothing is written until then. */
                    at: string;
                };
                path: {
                    /** @description The service's identifier of the unit. Of an operator with a scope, one within it; another is 404. */
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UnitAsOfAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/units/{unit_id}/explain": {
        parameters: {
        };
        /**
         * Read the reason for the present access, and who set the facts
         * @description The checks in order. Each value that a check read shows the event that set it.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
                path: {
                    /** @description The service's identifier of the unit. Of an operator with a scope, one within it; another is 404. */
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExplanationAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/units/{unit_id}/history": {
        parameters: {
        };
        /**
         * Read the history of a unit
         * @description Events of the unit, and changes by the calendar, by other units and by policies. `from` and `to` narrow it, `order` sorts it.
         *
         *     Credential: an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The `next_cursor` of the page before. Left out: the first page. It is refused if this query did not give it. */
                    cursor?: string;
                    /** @description Only entries at or after this instant. Left out: from the beginning. */
                    from?: string;
                    /** @description Most entries of the page, 1 to 500. Left out: 100. */
                    limit?: number;
                    /** @description `asc` for oldest first, `desc` for newest first. Left out: `asc`. */
                    order?: "asc" | "desc";
                    /** @description Only entries before this instant. Left out: up to now. */
                    to?: string;
                };
                path: {
                    /** @description The service's identifier of the unit. Of an operator with a scope, one within it; another is 404. */
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HistoryAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/units/{unit_id}/locks/{lock_id}": {
        parameters: {
        };
        /**
         * Put a lock on a unit
         * @description A lock is on one unit at a time: 409 if it is on another.
         *
         *     Credential: an operator's session. Least role: `manager`.
         */
        put: {
            parameters: {
                path: {
                    /** @description The service's identifier of the lock. Of an operator with a scope, one within it; another is 404. */
                    lock_id: string;
                    /** @description The service's identifier of the unit. Of an operator with a scope, one within it; another is 404. */
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LockAnswer"];
                    };
                };
            };
        };
        /**
         * Take a lock off a unit
         * @description Keys to it that were given out work offline until they expire. A lock on no unit does not change. A lock on another unit is refused (409).
         *
         *     Credential: an operator's session. Least role: `manager`.
         */
        delete: {
            parameters: {
                path: {
                    /** @description The service's identifier of the lock. Of an operator with a scope, one within it; another is 404. */
                    lock_id: string;
                    /** @description The service's identifier of the unit. Of an operator with a scope, one within it; another is 404. */
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LockAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/units/{unit_id}/name": {
        parameters: {
        };
        /**
         * Rename a unit
         * @description For units of any source. The PMS does not change the name again.
         *
         *     Credential: an operator's session. Least role: `manager`.
         */
        patch: {
            parameters: {
                path: {
                    /** @description The service's identifier of the unit. Of an operator with a scope, one within it; another is 404. */
                    unit_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["UnitNameBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OperatorWriteAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/units/{unit_id}/override": {
        parameters: {
        };
        /**
         * Lock a unit out, or exempt it
         * @description Takes precedence over the data of the PMS, for units of any source. It replaces the present override.
         *
         *     Credential: an operator's session. Least role: `manager`.
         */
        put: {
            parameters: {
                path: {
                    /** @description The service's identifier of the unit. Of an operator with a scope, one within it; another is 404. */
                    unit_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OverrideBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OperatorWriteAnswer"];
                    };
                };
            };
        };
        /**
         * Clear the override
         * @description The data of the PMS decides again at once. Without an override nothing changes.
         *
         *     Credential: an operator's session. Least role: `manager`.
         */
        delete: {
            parameters: {
                path: {
                    /** @description The service's identifier of the unit. Of an operator with a scope, one within it; another is 404. */
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OperatorWriteAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/units/{unit_id}/retired": {
        parameters: {
        };
        /**
         * Retire a unit that was made by mistake
         * @description For a unit made by mistake: integrators get 404, its history stays, and a later push brings it back. Only a vacant unit (409 otherwise).
         *
         *     Credential: an operator's session. Least role: `manager`.
         */
        put: {
            parameters: {
                path: {
                    /** @description The service's identifier of the unit. Of an operator with a scope, one within it; another is 404. */
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OperatorWriteAnswer"];
                    };
                };
            };
        };
        /**
         * Bring a retired unit back
         * @description Integrators see it again. A unit that is not retired does not change.
         *
         *     Credential: an operator's session. Least role: `manager`.
         */
        delete: {
            parameters: {
                path: {
                    /** @description The service's identifier of the unit. Of an operator with a scope, one within it; another is 404. */
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OperatorWriteAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/units/{unit_id}/shares/{tenant_id}": {
        parameters: {
        };
        /**
         * Share a unit with another tenant
         * @description The tenant must have an account at the same location. The unit must be occupied.
         *
         *     Credential: an operator's session. Least role: `manager`.
         */
        put: {
            parameters: {
                path: {
                    /** @description The service's identifier of the tenant's account. Of an operator with a scope, one within it; another is 404. */
                    tenant_id: string;
                    /** @description The service's identifier of the unit. Of an operator with a scope, one within it; another is 404. */
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OperatorWriteAnswer"];
                    };
                };
            };
        };
        /**
         * End a share
         * @description The tenant's app loses the unit at its next read. Without that share nothing changes.
         *
         *     Credential: an operator's session. Least role: `manager`.
         */
        delete: {
            parameters: {
                path: {
                    /** @description The service's identifier of the tenant's account. Of an operator with a scope, one within it; another is 404. */
                    tenant_id: string;
                    /** @description The service's identifier of the unit. Of an operator with a scope, one within it; another is 404. */
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OperatorWriteAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/units/{unit_id}/tenancy": {
        parameters: {
        };
        /**
         * Move a tenant into a standalone unit
         * @description As `moveIn`, for a standalone unit. A unit of a PMS is refused (409).
         *
         *     Credential: an operator's session. Least role: `manager`.
         */
        put: {
            parameters: {
                path: {
                    /** @description The service's identifier of the unit. Of an operator with a scope, one within it; another is 404. */
                    unit_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MoveInBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UnitWrittenAnswer"];
                    };
                };
            };
        };
        /**
         * Move the tenant out of a standalone unit
         * @description As `moveOut`, for a standalone unit. A unit of a PMS is refused (409). A vacant unit does not change.
         *
         *     Credential: an operator's session. Least role: `manager`.
         */
        delete: {
            parameters: {
                path: {
                    /** @description The service's identifier of the unit. Of an operator with a scope, one within it; another is 404. */
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UnitWrittenAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/views/rebuild": {
        parameters: {
        };
        /**
         * Read the progress of the newest rebuild
         * @description `share_done` and `seconds_left` are estimates. `none`: no rebuild was ever requested.
         *
         *     Credential: an operator's session. Least role: `admin`.
         */
        get: {
            parameters: {
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GetRebuildAnswer"];
                    };
                };
            };
        };
        /**
         * Rebuild the views from the log
         * @description Only for an admin of all companies. Requests are served meanwhile.
         *
         *     Credential: an operator's session. Least role: `admin`.
         *
         *     Takes an `Idempotency-Key`.
         */
        post: {
            parameters: {
                header?: {
                    /** @description Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused. */
                    "Idempotency-Key"?: string;
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RebuildViewsAnswer"];
                    };
                };
            };
        };
    };
    "/api/operator/zones/{zone_id}/units/{unit_id}": {
        parameters: {
        };
        /**
         * Put a unit into a zone
         * @description Both must be of the same location (422). The unit's tenants may then pass the entry points of the zone.
         *
         *     Credential: an operator's session. Least role: `manager`.
         */
        put: {
            parameters: {
                path: {
                    /** @description The service's identifier of the unit. Of an operator with a scope, one within it; another is 404. */
                    unit_id: string;
                    /** @description The service's identifier of the zone. Of an operator with a scope, one within it; another is 404. */
                    zone_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ZonedUnitAnswer"];
                    };
                };
            };
        };
        /**
         * Take a unit out of a zone
         * @description A unit that is not in the zone does not change.
         *
         *     Credential: an operator's session. Least role: `manager`.
         */
        delete: {
            parameters: {
                path: {
                    /** @description The service's identifier of the unit. Of an operator with a scope, one within it; another is 404. */
                    unit_id: string;
                    /** @description The service's identifier of the zone. Of an operator with a scope, one within it; another is 404. */
                    zone_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ZonedUnitAnswer"];
                    };
                };
            };
        };
    };
    "/api/v2/access-policy": {
        parameters: {
        };
        /**
         * Read how decisions are made
         * @description The table of checks that decides every access, with its settings.
         *
         *     Credential: an API token, or an operator's session. Least role: `auditor`.
         */
        get: {
            parameters: {
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AccessPolicyAnswer"];
                    };
                };
            };
        };
    };
    "/api/v2/auth/logout": {
        parameters: {
        };
        /**
         * End the session that asks
         * @description The token is refused from then on.
         *
         *     Credential: a tenant's token.
         */
        post: {
            parameters: {
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Acknowledgement"];
                    };
                };
            };
        };
    };
    "/api/v2/auth/phone": {
        parameters: {
        };
        /**
         * Have a code sent by SMS
         * @description Sends a code of six digits by SMS. A new code replaces the one before. Each network where the phone signed in before has a code of its own, and all others share one. Between two codes there are at least 30 s, otherwise 429. A phone that no account has is 422 `phone_unknown`.
         *
         *     Credential: none.
         */
        post: {
            parameters: {
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PhoneNumber"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Acknowledgement"];
                    };
                };
            };
        };
    };
    "/api/v2/auth/verify-otp": {
        parameters: {
        };
        /**
         * Sign in with the code
         * @description Answers a session (`TenantSession`), or the accounts to choose from (`AccountChoice`) if the phone has several and no `tenant_id` is given. The code stays good for that second request. It ends with the login, after 5 minutes, or after 5 wrong tries.
         *
         *     Credential: none.
         */
        post: {
            parameters: {
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OtpVerification"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LoginAnswer"];
                    };
                };
            };
        };
    };
    "/api/v2/company": {
        parameters: {
        };
        /**
         * Read what the token is, and what it may write
         * @description The token's company, its locations, and the limits that hold for the token.
         *
         *     Credential: an API token.
         */
        get: {
            parameters: {
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TokenCompanyAnswer"];
                    };
                };
            };
        };
    };
    "/api/v2/entry-points/{id}/logs": {
        parameters: {
        };
        /**
         * Report what happened at an entry point
         * @description Reports what happened at a gate, door or elevator: one report, or up to 100 under `entries`. It is refused (403) if the tenant had no access to it at `occurred_at`. If every report of a batch is refused, the answer has the status of the first error and tells each outcome.
         *
         *     Credential: a tenant's token.
         */
        post: {
            parameters: {
                path: {
                    /** @description The service's identifier of the lock or entry point. */
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ActivityReportOrBatch"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LoggedAnswer"];
                    };
                };
            };
        };
    };
    "/api/v2/entry-points/logs": {
        parameters: {
        };
        /**
         * Report what happened at an entry point that the body names
         * @description As the route with the identifier in its path; the body names the entry point.
         *
         *     Credential: a tenant's token.
         */
        post: {
            parameters: {
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EntryPointActivityReportOrBatch"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LoggedAnswer"];
                    };
                };
            };
        };
    };
    "/api/v2/events": {
        parameters: {
        };
        /**
         * Read the events of the company in order
         * @description The company's events in order, in place of webhooks. Keep `next_after` and send it as `after`. Changes that the calendar causes are no events: read `valid_until`, the forecast, or units by state.
         *
         *     Credential: an API token.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Position after which to read: the last `next_after`. Left out: from the first event. An unknown position is 422. */
                    after?: string;
                    /** @description Most entries of the page, 1 to 500. Left out: 100. */
                    limit?: number;
                    /** @description Types of events, with commas between them. Left out: all. */
                    types?: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EventPageAnswer"];
                    };
                };
            };
        };
    };
    "/api/v2/health": {
        parameters: {
        };
        /**
         * Ask whether the process serves
         * @description 200 while the process serves. It asks no store.
         *
         *     Credential: none.
         */
        get: {
            parameters: {
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HealthAnswer"];
                    };
                };
            };
        };
    };
    "/api/v2/health/ready": {
        parameters: {
        };
        /**
         * Ask whether it can work
         * @description 200 if the stores answer and the views keep up, 503 otherwise.
         *
         *     Credential: none.
         */
        get: {
            parameters: {
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReadinessAnswer"];
                    };
                };
            };
        };
    };
    "/api/v2/locations/{pms_location_code}/forecast": {
        parameters: {
        };
        /**
         * Read which units change state on which date, if nothing is written
         * @description What the calendar alone changes. Totals cover the location, `changes` come in pages.
         *
         *     Credential: an API token.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The `next_cursor` of the page before. Left out: the first page. It is refused if this query did not give it. */
                    cursor?: string;
                    /** @description Days to look ahead, from today. 1 to 60. Left out: 30. */
                    days?: number;
                    /** @description Most entries of the page, 1 to 500. Left out: 100. */
                    limit?: number;
                };
                path: {
                    /** @description The code by which the PMS names the location. */
                    pms_location_code: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ForecastAnswer"];
                    };
                };
            };
        };
    };
    "/api/v2/locks/{id}/logs": {
        parameters: {
        };
        /**
         * Report what happened at a lock
         * @description Reports what happened at a lock: one report, or up to 100 under `entries`. A report belongs to the unit that the lock was on at `occurred_at`. It is refused (403) if the tenant had no access to it then. If every report of a batch is refused, the answer has the status of the first error and tells each outcome. 120 reports in 60 s and 5 MB a day.
         *
         *     Credential: a tenant's token.
         */
        post: {
            parameters: {
                path: {
                    /** @description The service's identifier of the lock or entry point. */
                    id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ActivityReportOrBatch"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LoggedAnswer"];
                    };
                };
            };
        };
    };
    "/api/v2/openapi.json": {
        parameters: {
        };
        /**
         * Read this description
         * @description This document. `/api/v2/openapi.json` has v2 and the operator API, `/api/v1/openapi.json` the earlier surfaces.
         *
         *     Credential: none.
         */
        get: {
            parameters: {
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            [key: string]: unknown;
                        };
                    };
                };
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                };
            };
        };
    };
    "/api/v2/tenant/access": {
        parameters: {
        };
        /**
         * Read what the tenant may open, with the keys
         * @description Units and entry points of the tenant, with keys for those that may be opened. Send `If-None-Match` with the last `ETag`: 304 means that nothing changed. Ask again at `refresh_at`. 300 reads in 60 s.
         *
         *     Credential: a tenant's token.
         */
        get: {
            parameters: {
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TenantAccessAnswer"];
                    };
                };
                304: {
                    headers: {
                        [name: string]: unknown;
                    };
                };
            };
        };
    };
    "/api/v2/units": {
        parameters: {
        };
        /**
         * List units
         * @description All units of the company by key, or those of a state or a location. A page may be short and not the last.
         *
         *     Credential: an API token.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The `next_cursor` of the page before. Left out: the first page. It is refused if this query did not give it. */
                    cursor?: string;
                    /** @description Most entries of the page, 1 to 500. Left out: 100. */
                    limit?: number;
                    /** @description The code of the location. Left out: all locations. */
                    pms_location_code?: string;
                    /** @description Only units in this state now. Left out: all. */
                    state?: "vacant" | "tenant_permitted" | "tenant_denied" | "auction" | "unrentable";
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UnitPageAnswer"];
                    };
                };
            };
        };
        /**
         * Bring up to 500 units up to date
         * @description Creates and updates units. An entry's fault is its own: it is listed in `data.errors`, the others apply, and the status is 200. Refused whole (422): `units` missing, no array, empty or over 500; an entry that is no object; a `crm_unit_id` that is missing, no string or named twice. Left out fields keep their value. Contact details of tenants come only here.
         *
         *     Credential: an API token.
         *
         *     Takes an `Idempotency-Key`.
         */
        patch: {
            parameters: {
                query?: {
                    /** @description `true`: answers as the write would, and writes nothing. Left out: `false`. A dry run that would create a unit answers 200. */
                    dry_run?: boolean;
                };
                header?: {
                    /** @description Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused. */
                    "Idempotency-Key"?: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BulkBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BulkResultAnswer"];
                    };
                };
            };
        };
    };
    "/api/v2/units/{crm_unit_id}": {
        parameters: {
        };
        /**
         * Read a unit with its decision
         * @description Facts, decision and checks now. A retired unit is 404.
         *
         *     Credential: an API token.
         */
        get: {
            parameters: {
                path: {
                    /** @description The PMS's identifier of the unit, percent-encoded, or `ulid:` and the service's own `unit_id`. */
                    crm_unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExplainedUnitAnswer"];
                    };
                };
            };
        };
        /**
         * Change some facts of a unit
         * @description Facts that the body leaves out keep their value. Null resets a date or a text. The unit must exist.
         *
         *     Credential: an API token.
         *
         *     Takes an `Idempotency-Key`.
         */
        patch: {
            parameters: {
                query?: {
                    /** @description `true`: answers as the write would, and writes nothing. Left out: `false`. A dry run that would create a unit answers 200. */
                    dry_run?: boolean;
                };
                header?: {
                    /** @description Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The PMS's identifier of the unit, percent-encoded, or `ulid:` and the service's own `unit_id`. */
                    crm_unit_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FactsBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UnitWrittenAnswer"];
                    };
                };
            };
        };
    };
    "/api/v2/units/{crm_unit_id}/activity": {
        parameters: {
        };
        /**
         * Read the reports of the locks of a unit, newest first
         * @description Reports are kept after the tenancy.
         *
         *     Credential: an API token.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The `next_cursor` of the page before. Left out: the first page. It is refused if this query did not give it. */
                    cursor?: string;
                    /** @description Only entries at or after this instant. Left out: from the beginning. */
                    from?: string;
                    /** @description Most entries of the page, 1 to 500. Left out: 100. */
                    limit?: number;
                    /** @description Only entries before this instant. Left out: up to now. */
                    to?: string;
                };
                path: {
                    /** @description The PMS's identifier of the unit, percent-encoded, or `ulid:` and the service's own `unit_id`. */
                    crm_unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ActivityPageAnswer"];
                    };
                };
            };
        };
    };
    "/api/v2/units/{crm_unit_id}/as-of": {
        parameters: {
        };
        /**
         * Read a unit as of an instant
         * @description The unit exactly as a read at that instant would have answered.
         *
         *     Credential: an API token.
         */
        get: {
            parameters: {
                query: {
                    /** @description The instant to read. Before the unit existed the answer is 404. For a future instant it is what the calendar makes of the present facts and policy, if nothing is written until then. */
                    at: string;
                };
                path: {
                    /** @description The PMS's identifier of the unit, percent-encoded, or `ulid:` and the service's own `unit_id`. */
                    crm_unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UnitAsOfAnswer"];
                    };
                };
            };
        };
    };
    "/api/v2/units/{crm_unit_id}/explain": {
        parameters: {
        };
        /**
         * Read the reason for the present access, and who set the facts
         * @description The decision with every check. Each value shows who set it, and when.
         *
         *     Credential: an API token.
         */
        get: {
            parameters: {
                path: {
                    /** @description The PMS's identifier of the unit, percent-encoded, or `ulid:` and the service's own `unit_id`. */
                    crm_unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExplanationAnswer"];
                    };
                };
            };
        };
    };
    "/api/v2/units/{crm_unit_id}/history": {
        parameters: {
        };
        /**
         * Read the history of a unit
         * @description Every change of facts and access, oldest first. A change by the calendar alone has the type `AccessChanged` and no revision.
         *
         *     Credential: an API token.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The `next_cursor` of the page before. Left out: the first page. It is refused if this query did not give it. */
                    cursor?: string;
                    /** @description Only entries at or after this instant. Left out: from the beginning. */
                    from?: string;
                    /** @description Most entries of the page, 1 to 500. Left out: 100. */
                    limit?: number;
                    /** @description `asc` for oldest first, `desc` for newest first. Left out: `asc`. */
                    order?: "asc" | "desc";
                    /** @description Only entries before this instant. Left out: up to now. */
                    to?: string;
                };
                path: {
                    /** @description The PMS's identifier of the unit, percent-encoded, or `ulid:` and the service's own `unit_id`. */
                    crm_unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HistoryAnswer"];
                    };
                };
            };
        };
    };
    "/api/v2/units/{crm_unit_id}/tenancy": {
        parameters: {
        };
        /**
         * Move a tenant in, and create the unit where there is none
         * @description Creates the unit if it is new (201; a dry run answers 200). The same tenant with the same values changes nothing. Another tenant replaces the tenancy. Contact details are refused here: they come only by bulk.
         *
         *     Credential: an API token.
         *
         *     Takes an `Idempotency-Key`.
         */
        put: {
            parameters: {
                query?: {
                    /** @description `true`: answers as the write would, and writes nothing. Left out: `false`. A dry run that would create a unit answers 200. */
                    dry_run?: boolean;
                };
                header?: {
                    /** @description Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The PMS's identifier of the unit, percent-encoded, or `ulid:` and the service's own `unit_id`. */
                    crm_unit_id: string;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MoveInBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UnitWrittenAnswer"];
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UnitWrittenAnswer"];
                    };
                };
            };
        };
        /**
         * Move the tenant out and reset the facts
         * @description Resets the facts of the tenancy, ends shares and clears an override; `pms_status_raw` stays. A vacant unit stays as it is.
         *
         *     Credential: an API token.
         *
         *     Takes an `Idempotency-Key`.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description `true`: answers as the write would, and writes nothing. Left out: `false`. A dry run that would create a unit answers 200. */
                    dry_run?: boolean;
                };
                header?: {
                    /** @description Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The PMS's identifier of the unit, percent-encoded, or `ulid:` and the service's own `unit_id`. */
                    crm_unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UnitWrittenAnswer"];
                    };
                };
            };
        };
    };
    "/api/v2/units/compare": {
        parameters: {
        };
        /**
         * Compare up to 500 units with what is known, without writing them
         * @description Takes the body of a bulk, writes nothing, and tells what differs. `complete_locations` and `known` say which units the PMS has besides: then `missing_given` lists those that it does not have. Send the same body with `next_cursor` for more of them; each page repeats the rest. A token that only reads is told of facts alone, not of persons.
         *
         *     Credential: an API token.
         */
        post: {
            parameters: {
                query?: {
                    /** @description The `next_cursor` of the page before. Left out: the first page. It is refused if this query did not give it. */
                    cursor?: string;
                    /** @description Most entries of the page, 1 to 500. Left out: 500. */
                    limit?: number;
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CompareBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ComparisonAnswer"];
                    };
                };
            };
        };
    };
    "/api/v2/webhooks": {
        parameters: {
        };
        /**
         * Not implemented
         * @description Webhooks do not exist yet. Every method of this path and of all paths below it answers 501. Follow `GET /api/v2/events` instead.
         *
         *     Credential: an API token.
         */
        post: {
            parameters: {
            };
            responses: never;
        };
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Access: {
            /** @description Reasons of later checks that would deny too. Empty if access is permitted. */
            also: components["schemas"]["AlsoDenying"][];
            /** @description Why. Null for the states `auction`, `unrentable` and `vacant`. */
            reason: components["schemas"]["AccessReason"] | null;
            /** @description The fewest changes that remove every cause. Empty if access is permitted, null if the unit is vacant. */
            resolution: components["schemas"]["Cure"][] | null;
            /** @description The decision in one word. Only `tenant_permitted` opens. */
            state: components["schemas"]["AccessState"];
            /**
             * Format: date-time
             * @description The next instant at which the decision changes if nothing is written. Null if there is none. Read again after it.
             */
            valid_until: string | null;
        };
        AccessPolicy: {
            /** @description The checks in order. The first that matches decides. */
            checks: components["schemas"]["AccessPolicyCheck"][];
            /** @description The settings that the checks read. */
            parameters: components["schemas"]["AccessPolicyParameter"][];
            /** @description Version of the table of checks. */
            version: number;
        };
        AccessPolicyAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["AccessPolicy"];
            /** @description For people. It may change. */
            message: string;
        };
        AccessPolicyCheck: {
            /** @description Name of the check. Stable. */
            name: string;
            /** @description The reason if it decides. */
            reason: components["schemas"]["AccessReason"] | null;
            /** @description The state if it decides. */
            state: components["schemas"]["AccessState"];
            /** @description The condition in words. */
            when: string;
        };
        AccessPolicyParameter: {
            /** @description The value if nobody sets another. */
            default: string | number | boolean | null;
            /** @description What the setting means. */
            description: string;
            /** @description Greatest value. Left out: there is none. */
            maximum?: number;
            /** @description Least value. Left out: there is none. */
            minimum?: number;
            /** @description Name of the setting, as in a policy. */
            name: string;
            /**
             * @description Type of the value.
             * @enum {string}
             */
            type: "integer" | "number" | "boolean" | "string";
            /** @description The values that it may have. Left out: any of its type. */
            values?: string[];
        };
        /** @enum {string} */
        AccessReason: "system_lockout" | "system_exempt" | "future_move_in" | "pms_exempt" | "pms_lockout" | "delinquent" | "blanket_delinquency" | "active";
        /** @enum {string} */
        AccessState: "vacant" | "tenant_permitted" | "tenant_denied" | "auction" | "unrentable";
        AccountChoice: {
            /** @description The accounts of the phone number. */
            accounts: components["schemas"]["TenantAccount"][];
            /** @description Always null: choose an account and send the code again with its `tenant_id`. */
            token: string | null;
        };
        Acknowledgement: {
            /** @description For people. It may change. */
            message: string;
        };
        ActivityBatch: {
            /** @description 1 to 100 reports. Each has its own outcome. */
            entries: components["schemas"]["ActivityReport"][];
        };
        ActivityEntry: {
            /** @description The service's identifier of the gate, door or elevator. */
            entry_point_id?: string;
            /** @description Name of the entry point. Null if it is not known. */
            entry_point_name?: string | null;
            /**
             * @description What happened.
             * @enum {string}
             */
            event: "unlock" | "lock" | "attempt";
            /** @description The app's code of the failure. Null if it did not fail. */
            failure_code: string | null;
            /** @description The service's identifier of the lock. */
            lock_id?: string;
            /** @description Name of the lock. Null if it is not known. */
            lock_name?: string | null;
            /** @description The service's identifier of the report. */
            log_id: string;
            /** @description The tenant's note. Null if there is none or the tenant was erased. */
            message: string | null;
            /**
             * Format: date-time
             * @description Instant at which it happened.
             */
            occurred_at: string;
            /**
             * Format: date-time
             * @description Instant at which the service recorded it.
             */
            recorded_at: string;
            /**
             * @description Whether it worked.
             * @enum {string}
             */
            result: "success" | "failure";
            /** @description The service's identifier of the tenant's account at one location. */
            tenant_id: string;
        };
        ActivityPage: {
            /** @description The entries of this page. */
            entries: components["schemas"]["ActivityEntry"][];
            /** @description Cursor of the next page. Null on the last page. A page may be short, even empty, and not the last. */
            next_cursor: string | null;
        };
        ActivityPageAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["ActivityPage"];
            /** @description For people. It may change. */
            message: string;
        };
        ActivityReport: {
            /** @description Charge of the battery, 0 to 100. Left out: not known. */
            battery_percent?: number;
            /** @description The app's own identifier, 1 to 64 characters. A repeat is stored once and answers the first `log_id`. With another body it is refused (409). */
            client_log_id?: string;
            /**
             * @description What the app did: `unlock`, `lock`, or another `attempt`.
             * @enum {string}
             */
            event: "unlock" | "lock" | "attempt";
            /** @description The app's code of the failure: 1 to 64 of `a-z 0-9 _ . -`. Only with `failure`. The lock was right to refuse under `access_denied`, `key_expired`, `no_valid_key`; any other code counts as a lock that failed. */
            failure_code?: string;
            /** @description A note of at most 500 characters. Left out: none. */
            message?: string;
            /**
             * Format: date-time
             * @description Instant at which it happened. Left out: now. At most 30 days old and at most 5 minutes ahead; otherwise refused.
             */
            occurred_at?: string;
            /**
             * @description Whether it worked. Only a successful `unlock` sets `last_accessed_at`.
             * @enum {string}
             */
            result: "success" | "failure";
        };
        ActivityReportOrBatch: components["schemas"]["ActivityReport"] | components["schemas"]["ActivityBatch"];
        Actor: {
            /** @description Identifier of the token, operator, pull source or tenant. For `system`, the kind of `cause` or the part of the service. */
            id: string;
            /** @description Kind of the caller. */
            kind: components["schemas"]["ActorKind"];
            /** @description Name at the time of the read. With an API token it is null for an operator, because it is the operator's e-mail address. Null also for `system` and for what was removed or erased. */
            name: string | null;
        };
        /** @enum {string} */
        ActorKind: "api_token" | "operator" | "pull" | "tenant" | "system";
        /** @enum {string} */
        AlsoDenying: "system_lockout" | "system_exempt" | "future_move_in" | "pms_exempt" | "pms_lockout" | "delinquent" | "blanket_delinquency" | "active" | "unrentable";
        ApiToken: {
            /**
             * Format: date-time
             * @description Instant of creation.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Instant at which it ends. Null if it never does.
             */
            expires_at: string | null;
            /** @description The last bulk with rejected rows, or refused as a whole. Dry runs are left out. Null if there was none. */
            last_rejected_bulk: components["schemas"]["RejectedBulk"] | null;
            /**
             * Format: date-time
             * @description Instant of the last use, give or take a minute. Null if it was never used.
             */
            last_used_at: string | null;
            /** @description The name that people read. */
            name: string;
            /**
             * Format: date-time
             * @description Instant of revocation. Null if it was not revoked.
             */
            revoked_at: string | null;
            /**
             * @description `write`, or `read` for a token that may only read.
             * @enum {string}
             */
            scope: "write" | "read";
            /** @description The service's identifier of the API token. */
            token_id: string;
        };
        ApiTokenBody: {
            /**
             * Format: date-time
             * @description Instant at which the token ends, in the future. Left out or null: never.
             */
            expires_at?: string | null;
            /** @description Text of 1 to 255 characters, none of them invisible. */
            name: string;
            /**
             * @description `write`, or `read` for a token that may only read. Left out: `write`.
             * @enum {string}
             */
            scope?: "write" | "read";
        };
        ApiTokens: {
            /** @description The tokens, revoked ones too, without their values. */
            api_tokens: components["schemas"]["ApiToken"][];
        };
        ApiTokensAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["ApiTokens"];
            /** @description For people. It may change. */
            message: string;
        };
        AuctionUnit: {
            /** @description What is owed, as a decimal number with at most 2 places. Negative: a credit. A move-out resets it to 0. */
            balance_due: number;
            /** @description Whole days past `paid_through_date`. Null if there is no date. */
            days_late: number | null;
            /**
             * Format: date-time
             * @description Instant of the tenant's last refusal at a lock of such a unit or at a gate of the location. Null if there is none among their newest reports.
             */
            last_refused_at: string | null;
            /** @description The service's identifier of the location. */
            location_id: string;
            /** @description Name of the location. */
            location_name: string;
            /** @description International format with a leading +. Null if it is not known or was erased. */
            phone: string | null;
            /** @description Why. Null for the states `auction`, `unrentable` and `vacant`. */
            reason: components["schemas"]["AccessReason"] | null;
            /** @description The service's identifier of the tenant's account at one location. */
            tenant_id: string;
            /** @description The tenant's name. Null if it is not known or was erased. */
            tenant_name: string | null;
            /** @description The service's identifier of the unit: 26 characters, never reused. */
            unit_id: string;
            /** @description The name that people read. An operator may change it. */
            unit_name: string;
        };
        Backtest: {
            /** @description Spans of time in which the policy would have decided otherwise: a page of them, by unit. */
            changes: components["schemas"]["BacktestChange"][];
            /**
             * Format: date-time
             * @description Start of the time that was tried: the first event of the location, if that is later than asked for.
             */
            from: string;
            /** @description Cursor of the next page. Null on the last page. A page may be short, even empty, and not the last. */
            next_cursor: string | null;
            /** @description Units among those of this page with too many events to be tried. */
            not_tried: components["schemas"]["BacktestNotTried"][];
            /** @description The policy that was tried. */
            policy: components["schemas"]["Policy"];
            /** @description Over all units, whatever this page tells. Null on a later page. */
            totals: components["schemas"]["BacktestTotals"] | null;
            /**
             * Format: date-time
             * @description End of the time that was tried, exclusive.
             */
            until: string;
        };
        BacktestAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["Backtest"];
            /** @description For people. It may change. */
            message: string;
        };
        BacktestBody: {
            /** @description Days back from now, 1 to 365. */
            days: number;
            /** @description Fields left out are as they are now. */
            policy: components["schemas"]["PolicyFields"];
        };
        BacktestChange: {
            /** @description The decision as it was. */
            actual: components["schemas"]["Decided"];
            /** @description The identifier that the PMS gave the unit. */
            crm_unit_id: string;
            /**
             * @description `denied`: would have lost access. `spared`: would have kept it.
             * @enum {string}
             */
            effect: "denied" | "spared";
            /**
             * Format: date-time
             * @description Instant from which the policies decide differently.
             */
            from: string;
            /** @description The decision as it would have been. */
            proposed: components["schemas"]["Decided"];
            /** @description The tenant of the unit then. Null if it was vacant. */
            tenant_id: string | null;
            /** @description The service's identifier of the unit: 26 characters, never reused. */
            unit_id: string;
            /** @description The name that people read. An operator may change it. */
            unit_name: string;
            /**
             * Format: date-time
             * @description End of the span, exclusive. Null if it has no end yet.
             */
            until: string | null;
        };
        BacktestNotTried: {
            /** @description The identifier that the PMS gave the unit. */
            crm_unit_id: string;
            /** @description The service's identifier of the unit: 26 characters, never reused. */
            unit_id: string;
            /** @description The name that people read. An operator may change it. */
            unit_name: string;
        };
        BacktestTotals: {
            /** @description Spans of time in which a unit would have been decided otherwise. */
            changes: number;
            /** @description Whether all units of the location were tried. False where the bounds of one answer (50,000 events, 5 s) ended first: the totals are of its first units then, and the pages go on to the others. */
            complete: boolean;
            /** @description Units with too many events to be tried. */
            not_tried: number;
            /** @description Tenants who were denied at any time. */
            tenants_denied: components["schemas"]["DeniedTenants"];
            /** @description Tenants among them who were denied after their leases began. */
            tenants_locked_out: components["schemas"]["DeniedTenants"];
            /** @description Units that were tried. */
            units: number;
            /** @description Units that would have been denied when they were permitted. */
            units_denied: number;
            /** @description Units that would have been permitted when they were denied. */
            units_spared: number;
        };
        BulkBody: {
            /**
             * Format: date-time
             * @description When the PMS took the state that it sends; at most 5 minutes ahead. A unit that a move-in, move-out or PATCH changed after it is left as it is and listed in `skipped`. Left out, nothing is skipped.
             * @example 2026-01-01T00:00:00.000Z
             */
            snapshot_at?: string;
            /** @description 1 to 500 units. Missing, no array, empty or longer: the whole request is refused. So is an entry that is no object, or whose `crm_unit_id` is missing or no string. All other faults are errors of their entry. */
            units: components["schemas"]["BulkEntry"][];
        };
        BulkEntry: {
            /**
             * @description What is owed, as a decimal number with at most 2 places. Negative: a credit. A move-out resets it to 0. Left out: it stays.
             * @example 0
             */
            balance_due?: number;
            /** @description The unit. 1 to 128 characters, none invisible, not beginning with `ulid:`. Twice in one request refuses the whole request. A value that breaks a rule is an error of this entry alone. */
            crm_unit_id: string;
            /** @description The ledger of the tenancy. Left out: the same tenant keeps it. Null: none. */
            ledger_id?: string | null;
            /**
             * Format: date
             * @description Required when `occupied` is true. First day of the lease. Left out or null only for a vacant unit.
             */
            move_in_date?: string | null;
            /** @description True: the unit is rented to the tenant named here. False: a move-out that resets the facts first; flags of this entry then apply. */
            occupied: boolean;
            /**
             * Format: date
             * @description Last day that is paid for. Null: no date, so a balance never denies. A move-out resets it. Left out: it stays.
             * @example 2026-06-30
             */
            paid_through_date?: string | null;
            /**
             * @description True while the contents are auctioned: denied. A move-out resets it. Left out: it stays.
             * @example false
             */
            pms_auction?: boolean;
            /** @description Where a new unit is. It may be left out if the company has exactly one location. On an existing unit another code is ignored with a warning. */
            pms_location_code?: string;
            /**
             * @description True permits despite debts and lockout. A move-out resets it. Left out: it stays.
             * @example false
             */
            pms_lock_exempt?: boolean;
            /**
             * @description True denies, unless the unit is exempt. A move-out resets it. Left out: it stays.
             * @example false
             */
            pms_lockout?: boolean;
            /**
             * @description The status in the words of the PMS, at most 1,000 characters, nothing personal. It decides nothing, and a move-out keeps it. Null: none. Left out: it stays.
             * @example Rented
             */
            pms_status_raw?: string | null;
            /** @description The tenant. An occupied unit needs this or `tenant`; both must agree. Refused with `occupied: false`, unless null. */
            pms_tenant_id?: string | null;
            /**
             * @description True if the unit cannot be rented: denied. A move-out resets it. Left out: it stays.
             * @example false
             */
            pms_unrentable?: boolean;
            /** @description The tenant with contact details. Contacts come only by bulk, never by a move-in. Refused with `occupied: false`, unless null. */
            tenant?: components["schemas"]["TenantBody"] | null;
            /** @description Used only when the unit is created; left out: the `crm_unit_id`. On an existing unit another name is ignored with a warning. */
            unit_name?: string;
        };
        BulkResult: {
            /** @description Units that were created. */
            created: number;
            /** @description True if nothing was written. Present only for a dry run. */
            dry_run?: boolean;
            /** @description Entries that were not applied, in the order of the request. The others were. */
            errors: components["schemas"]["EntryError"][];
            /** @description Only with `snapshot_at`: units that a single write changed after it. */
            skipped?: components["schemas"]["SkippedEntry"][];
            /**
             * Format: date-time
             * @description Instant at which the bulk was applied.
             */
            synced_at: string;
            /** @description Entries of the request. The counts beside it add up to it. */
            total: number;
            /** @description Units that already were as sent. They leave no event. */
            unchanged: number;
            /** @description Units that were changed, or whose tenant was. */
            updated: number;
            /** @description Present only if there are any. The write was done. */
            warnings?: components["schemas"]["EntryWarning"][];
        };
        BulkResultAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["BulkResult"];
            /** @description For people. It may change. */
            message: string;
        };
        ChangedLocation: {
            /** @description A balance up to this amount denies nobody. At most 2 decimals, default 0. */
            balance_threshold: number;
            /** @description True: one delinquent unit denies the tenant's other units at the location too. Default true. */
            blanket_delinquency: boolean;
            /** @description The service's identifier of the company. */
            company_id: string;
            /** @description `automatic`: debts deny by date. `pms_flag_only`: only the flags of the PMS deny. Default `automatic`. */
            delinquency_mode: components["schemas"]["DelinquencyMode"];
            /** @description True if nothing was written. Present only for a dry run. */
            dry_run?: boolean;
            /** @description What the change does to the units, at this moment. */
            effect: components["schemas"]["PolicyEffect"];
            /** @description Whole calendar days after `paid_through_date` before a debt denies. 0 to 90, default 5. */
            grace_period_days: number;
            /** @description The service's identifier of the location. */
            location_id: string;
            /** @description The name that people read. */
            name: string;
            /** @description The code by which the PMS names the location. Unique within the company. */
            pms_location_code: string;
            /** @description IANA time zone. Days begin and end in it. Default `UTC`. */
            timezone: string;
        };
        ChangedLocationAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["ChangedLocation"];
            /** @description For people. It may change. */
            message: string;
        };
        Check: {
            /** @description The facts and settings that the check read. */
            looked_at: components["schemas"]["CheckLookedAt"][];
            /** @description True if the check matches, whether or not it decides. */
            matched: boolean;
            /** @description Name of the check. Stable. */
            name: string;
            /** @description The reason if it decides. */
            reason: components["schemas"]["AccessReason"] | null;
            /** @description The state if it decides. */
            state: components["schemas"]["AccessState"];
        };
        CheckLookedAt: {
            /** @description Name of the fact or setting. */
            name: string;
            /** @description Revision of the unit that set the value. Null for a setting, and for what no event set. */
            revision: number | null;
            /** @description Present if the value is of another unit of the tenant. */
            unit_id?: string;
            /** @description The value that it had. */
            value: string | number | boolean | null;
        };
        ClockAdvanceBody: {
            /** @description Seconds to set the clock forward, at most 31 days. It never goes back. */
            advance_seconds: number;
        };
        Company: {
            /** @description The sandbox's clock. Null for a company that is not a sandbox. */
            clock: components["schemas"]["SandboxClock"] | null;
            /** @description The service's identifier of the company. */
            company_id: string;
            /**
             * Format: date-time
             * @description Instant of creation.
             */
            created_at: string;
            /** @description The name that people read. */
            name: string;
            /** @description True if the company is for trying things out: a clock of its own, no real SMS, keys that open nothing. */
            sandbox: boolean;
        };
        CompanyAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["Company"];
            /** @description For people. It may change. */
            message: string;
        };
        CompanyPage: {
            /** @description The companies of this page. */
            companies: components["schemas"]["Company"][];
            /** @description Cursor of the next page. Null on the last page. A page may be short, even empty, and not the last. */
            next_cursor: string | null;
        };
        CompanyPageAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["CompanyPage"];
            /** @description For people. It may change. */
            message: string;
        };
        CompanyWithLocations: {
            /** @description The sandbox's clock. Null for a company that is not a sandbox. */
            clock: components["schemas"]["SandboxClock"] | null;
            /** @description The service's identifier of the company. */
            company_id: string;
            /**
             * Format: date-time
             * @description Instant of creation.
             */
            created_at: string;
            /** @description The locations of the company. */
            locations: components["schemas"]["Location"][];
            /** @description The name that people read. */
            name: string;
            /** @description True if the company is for trying things out: a clock of its own, no real SMS, keys that open nothing. */
            sandbox: boolean;
        };
        CompanyWithLocationsAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["CompanyWithLocations"];
            /** @description For people. It may change. */
            message: string;
        };
        CompareBody: {
            /**
             * @description `pms_location_code`s of the locations whose units the request names all, in `units` and `known` together; at most 500. Units there that it does not name are listed in `missing_given`. Left out: none, and nothing is listed.
             * @example [
             *       "MAIN"
             *     ]
             */
            complete_locations?: string[];
            /**
             * @description `crm_unit_id`s of units that are there and not in `units`, at most 20000: they are not compared, and not missing. Left out: none.
             * @example [
             *       "A-102"
             *     ]
             */
            known?: string[];
            /**
             * Format: date-time
             * @description When the PMS took the state that it sends; at most 5 minutes ahead. A unit that a move-in, move-out or PATCH changed after it is left as it is and listed in `skipped`. Left out, nothing is skipped.
             * @example 2026-01-01T00:00:00.000Z
             */
            snapshot_at?: string;
            /** @description 1 to 500 units, as a bulk would send them. Missing, no array, empty or longer: the whole request is refused. So is an entry that is no object, or whose `crm_unit_id` is missing or no string. All other faults are errors of their entry. */
            units: components["schemas"]["BulkEntry"][];
        };
        Comparison: {
            /**
             * Format: date-time
             * @description Instant of the comparison.
             */
            compared_at: string;
            /** @description Units that differ. */
            different: components["schemas"]["UnitDifference"][];
            /** @description Entries that could not be compared, in the order of the request. */
            errors: components["schemas"]["EntryError"][];
            /** @description Units with another name or location in the request, which a bulk leaves as they are. They count in `same` or `different` as well. */
            ignored: components["schemas"]["UnitDifference"][];
            /** @description Units of `complete_locations` that the request does not name: a page of them, by location. Empty where no location is given. */
            missing_given: string[];
            /** @description Units of the request that the service does not know. */
            missing_here: string[];
            /** @description Cursor of the next page. Null on the last page. A page may be short, even empty, and not the last. */
            next_cursor: string | null;
            /** @description How many units are the same on both sides. */
            same: number;
            /** @description Units that a single write changed after `snapshot_at`: a bulk leaves them as they are. */
            skipped: components["schemas"]["SkippedEntry"][];
            /** @description `same` and the lengths of `different`, `missing_here`, `skipped` and `errors` together. */
            total: number;
        };
        ComparisonAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["Comparison"];
            /** @description For people. It may change. */
            message: string;
        };
        Cure: {
            /**
             * @description Side that can change it: `pms` by the PMS interface, `operator` by an override.
             * @enum {string}
             */
            by: "pms" | "operator";
            /** @description The identifier that the PMS gave the unit. */
            crm_unit_id: string;
            /** @description The field to change. */
            field: string;
            /** @description The value to set. */
            to: string | number | boolean | null;
            /** @description The unit to change: another unit of the tenant if that one owes. Null if a dry run would create it. */
            unit_id: string | null;
        };
        CurrentPasswordBody: {
            /** @description The present password. */
            current: string;
        };
        Decided: {
            /** @description Why. Null for the states `auction`, `unrentable` and `vacant`. */
            reason: components["schemas"]["AccessReason"] | null;
            /** @description The decision in one word. Only `tenant_permitted` opens. */
            state: components["schemas"]["AccessState"];
        };
        /** @enum {string} */
        DelinquencyMode: "automatic" | "pms_flag_only";
        DeniedOpening: {
            /** @description The tenant's units that an opening led to, if none of them was open at that instant. Left out: none. */
            denied_units: components["schemas"]["DeniedThen"][];
            /** @description The service's identifier of the gate, door or elevator. */
            entry_point_id?: string;
            /** @description Whether the tenant had a key to it that was given out before and had not expired. */
            had_key: boolean;
            /** @description The service's identifier of the location. */
            location_id: string;
            /** @description The service's identifier of the lock. */
            lock_id?: string;
            /** @description The service's identifier of the report. */
            log_id: string;
            /** @description Name of the lock or entry point. Null if it is gone. */
            name: string | null;
            /**
             * Format: date-time
             * @description Instant at which it was opened.
             */
            occurred_at: string;
            /**
             * Format: date-time
             * @description Instant at which an app reported it.
             */
            recorded_at: string;
            /** @description The service's identifier of the tenant's account at one location. */
            tenant_id: string;
            /** @description The tenant's name. Null if it is not known or was erased. */
            tenant_name: string | null;
        };
        DeniedTenants: {
            /** @description With the policies as they were. */
            actual: number;
            /** @description With the policy that was tried. */
            proposed: number;
        };
        DeniedThen: {
            /** @description Why. Null for the states `auction`, `unrentable` and `vacant`. */
            reason: components["schemas"]["AccessReason"] | null;
            /** @description The decision in one word. Only `tenant_permitted` opens. */
            state: components["schemas"]["AccessState"];
            /** @description The service's identifier of the unit: 26 characters, never reused. */
            unit_id: string;
            /** @description The name that people read. An operator may change it. */
            unit_name: string;
        };
        EntryError: {
            /** @description For programs. Stable: match this, never `message`. */
            code: components["schemas"]["ErrorCode"];
            /** @description The identifier that the PMS gave the unit. */
            crm_unit_id: string;
            /** @description The same faults, one a field, each with a code for programs. */
            details?: components["schemas"]["FieldFault"][];
            /** @description All messages of the entry in one line, each with its path. */
            error: string;
            /** @description Messages by the dotted path of the field. */
            errors?: {
                [key: string]: string[];
            };
        };
        EntryPoint: {
            /** @description The service's identifier of the gate, door or elevator. */
            entry_point_id: string;
            /** @description False if it is out of service: then it opens to nobody. */
            in_service: boolean;
            /**
             * @description `gate`, `door` or `elevator`. It never changes.
             * @enum {string}
             */
            kind: "gate" | "door" | "elevator";
            /** @description The service's identifier of the location. */
            location_id: string;
            /** @description The name that people read. */
            name: string;
            /** @description The zones that it opens to. */
            zone_ids: string[];
        };
        EntryPointActivityBatch: {
            /** @description 1 to 100 reports. Each has its own outcome. */
            entries: components["schemas"]["ActivityReport"][];
            /** @description The entry point that the reports are about. */
            entry_point_id: string;
        };
        EntryPointActivityReport: {
            /** @description Charge of the battery, 0 to 100. Left out: not known. */
            battery_percent?: number;
            /** @description The app's own identifier, 1 to 64 characters. A repeat is stored once and answers the first `log_id`. With another body it is refused (409). */
            client_log_id?: string;
            /** @description The entry point that the reports are about. */
            entry_point_id: string;
            /**
             * @description What the app did: `unlock`, `lock`, or another `attempt`.
             * @enum {string}
             */
            event: "unlock" | "lock" | "attempt";
            /** @description The app's code of the failure: 1 to 64 of `a-z 0-9 _ . -`. Only with `failure`. The lock was right to refuse under `access_denied`, `key_expired`, `no_valid_key`; any other code counts as a lock that failed. */
            failure_code?: string;
            /** @description A note of at most 500 characters. Left out: none. */
            message?: string;
            /**
             * Format: date-time
             * @description Instant at which it happened. Left out: now. At most 30 days old and at most 5 minutes ahead; otherwise refused.
             */
            occurred_at?: string;
            /**
             * @description Whether it worked. Only a successful `unlock` sets `last_accessed_at`.
             * @enum {string}
             */
            result: "success" | "failure";
        };
        EntryPointActivityReportOrBatch: components["schemas"]["EntryPointActivityReport"] | components["schemas"]["EntryPointActivityBatch"];
        EntryPointAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["EntryPoint"];
            /** @description For people. It may change. */
            message: string;
        };
        EntryPointChangeBody: {
            /** @description False: it opens to nobody. Left out: it stays. */
            in_service?: boolean;
            /** @description Text of 1 to 255 characters, none of them invisible. Left out: it stays. */
            name?: string;
            /** @description All its zones, at most 500. Left out: it stays. */
            zone_ids?: string[];
        };
        EntryWarning: {
            /** @description `tenant_replaced`: Another tenant rented the unit; that tenancy has ended. If that is wrong, move the former tenant in again. `balance_carried_over`: Another tenant moved in on a unit that owes a balance. The balance stays: send balance_due if it is not the new tenant’s. `exemption_carried_over`: Another tenant moved in on a unit that is exempt from lockout. The exemption stays: send pms_lock_exempt false if it is not the new tenant’s. `lockout_carried_over`: Another tenant moved in on a unit that is locked out. The lockout stays: send pms_lockout false if it is not the new tenant’s. `unrentable_cleared`: The reset put pms_unrentable to false. Send it again if the unit is still not for rent. `auction_cleared`: The reset took a vacant unit out of auction. Send pms_auction again if it still holds. `lockout_cleared`: The reset of a vacant unit cleared pms_lockout. Send it again if it still holds. `personal_data_suppressed`: The tenant’s personal details were erased and stay so; the given ones were not recorded. The operator can record them again. `location_ignored`: The unit exists and keeps its location; the given one was ignored. `unit_revived`: An operator had retired the unit as made by mistake. This write has revived it. `unit_name_ignored`: The unit exists and keeps its name; the given one was ignored. The operator can rename it. `lockout_suppressed_by_exemption`: The lockout has no effect while the unit is exempt. Set pms_lock_exempt to false, or have the operator end the exemption, for it to count. `balance_without_date`: The balance is never past due without a paid_through_date. Send paid_through_date for the grace period to count from it. `vacant_unit_owes`: Nobody rents the unit that owes this balance. Move the tenant in, or send balance_due 0. `auction_while_exempt`: The unit is in auction, which denies access in spite of its exemption. Set pms_auction to false to permit access. */
            code: components["schemas"]["WarningCode"];
            /** @description The identifier that the PMS gave the unit. */
            crm_unit_id: string;
            /** @description Only with `tenant_replaced`: who rented the unit before. */
            former_pms_tenant_id?: string;
            /** @description For people. It may change: match `code`. */
            message: string;
        };
        Error: {
            /** @description For programs. Stable: match this, never `message`. */
            code: components["schemas"]["ErrorCode"];
            /** @description The same faults, one a field, each with a code for programs. Only with `validation_failed`. */
            details?: components["schemas"]["FieldFault"][];
            /** @description Messages by the dotted path of the field. Only with `validation_failed`. */
            errors?: {
                [key: string]: string[];
            };
            /** @description For people: what to do about it. Not always there. */
            hint?: string;
            /** @description For people. */
            message: string;
        };
        /** @enum {string} */
        ErrorCode: "malformed_json" | "invalid_request" | "unauthorized" | "code_required" | "code_invalid" | "forbidden" | "no_access_then" | "second_factor_required" | "not_found" | "unit_not_found" | "company_not_found" | "location_not_found" | "zone_not_found" | "entry_point_not_found" | "lock_not_found" | "tenant_not_found" | "operator_not_found" | "api_token_not_found" | "pull_source_not_found" | "method_not_allowed" | "request_timeout" | "idempotency_key_reused" | "client_log_id_reused" | "unit_managed_elsewhere" | "unit_occupied" | "unit_retired" | "not_a_sandbox" | "last_admin" | "second_factor_exists" | "own_second_factor" | "lock_on_another_unit" | "payload_too_large" | "unsupported_media_type" | "expectation_failed" | "validation_failed" | "phone_unknown" | "otp_invalid" | "second_factor_invalid" | "unit_not_occupied" | "rate_limited" | "headers_too_large" | "server_error" | "not_implemented" | "store_unavailable" | "starting" | "shutting_down" | "sms_unavailable" | "request_in_progress" | "not_ready";
        EventPage: {
            /** @description The events of this page, oldest first. */
            events: components["schemas"]["FedEvent"][];
            /** @description Position for the next request (`after`). Keep it. A page may be short, even empty: follow it until it stays the same. Null while there is no event at all. */
            next_after: string | null;
        };
        EventPageAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["EventPage"];
            /** @description For people. It may change. */
            message: string;
        };
        /** @enum {string} */
        EventType: "AccessOverridden" | "AccessOverrideCleared" | "EntryPointActivityReported" | "EntryPointAdded" | "EntryPointChanged" | "LocationOpened" | "LocationPolicyChanged" | "LocationRenamed" | "LockActivityReported" | "LockAdded" | "LockAttached" | "LockDetached" | "TenantDetailsChanged" | "TenantErased" | "TenantMovedIn" | "TenantMovedOut" | "TenantSessionsEnded" | "UnitFactsChanged" | "UnitRegistered" | "UnitRenamed" | "UnitRetired" | "UnitRevived" | "UnitShareEnded" | "UnitShared" | "UnitUnzoned" | "UnitZoned" | "ZoneAdded";
        ExplainedAccess: {
            /** @description Reasons of later checks that would deny too. Empty if access is permitted. */
            also: components["schemas"]["AlsoDenying"][];
            /** @description The checks in order. The first that matches decides. */
            checks: components["schemas"]["Check"][];
            /** @description Why. Null for the states `auction`, `unrentable` and `vacant`. */
            reason: components["schemas"]["AccessReason"] | null;
            /** @description The fewest changes that remove every cause. Empty if access is permitted, null if the unit is vacant. */
            resolution: components["schemas"]["Cure"][] | null;
            /** @description The decision in one word. Only `tenant_permitted` opens. */
            state: components["schemas"]["AccessState"];
            /**
             * Format: date-time
             * @description The next instant at which the decision changes if nothing is written. Null if there is none. Read again after it.
             */
            valid_until: string | null;
        };
        ExplainedUnit: {
            /** @description The decision about the unit. */
            access: components["schemas"]["ExplainedAccess"];
            /** @description The identifier that the PMS gave the unit. */
            crm_unit_id: string;
            /** @description What the PMS says of the unit. */
            facts: components["schemas"]["Facts"];
            /**
             * Format: date-time
             * @description Instant of the last successful unlock. It never moves back. Null if there is none.
             */
            last_accessed_at: string | null;
            /** @description The location of the unit. */
            location: components["schemas"]["UnitLocation"];
            /** @description Number of the latest event in the stream, from 0. It grows with every event. */
            revision: number;
            /** @description The side that writes the unit: `push`, `pull`, or `standalone` for operators. */
            source_type: components["schemas"]["SourceType"];
            /** @description The service's identifier of the unit: 26 characters, never reused. */
            unit_id: string;
            /** @description The name that people read. An operator may change it. */
            unit_name: string;
        };
        ExplainedUnitAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["ExplainedUnit"];
            /** @description For people. It may change. */
            message: string;
        };
        Explanation: {
            /** @description Reasons of later checks that would deny too. Empty if access is permitted. */
            also: components["schemas"]["AlsoDenying"][];
            /** @description The checks in order. The first that matches decides. */
            checks: components["schemas"]["ExplanationCheck"][];
            /** @description The identifier that the PMS gave the unit. */
            crm_unit_id: string;
            /** @description Name of the check that decided. */
            decided_by: string;
            /** @description Why. Null for the states `auction`, `unrentable` and `vacant`. */
            reason: components["schemas"]["AccessReason"] | null;
            /** @description The fewest changes that remove every cause. Empty if access is permitted, null if the unit is vacant. */
            resolution: components["schemas"]["Cure"][] | null;
            /** @description The decision in one word. Only `tenant_permitted` opens. */
            state: components["schemas"]["AccessState"];
            /** @description The service's identifier of the unit: 26 characters, never reused. */
            unit_id: string;
            /**
             * Format: date-time
             * @description The next instant at which the decision changes if nothing is written. Null if there is none. Read again after it.
             */
            valid_until: string | null;
        };
        ExplanationAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["Explanation"];
            /** @description For people. It may change. */
            message: string;
        };
        ExplanationCheck: {
            /** @description The facts and settings that the check read. */
            looked_at: components["schemas"]["ExplanationCheckLookedAt"][];
            /** @description True if the check matches, whether or not it decides. */
            matched: boolean;
            /** @description Name of the check. Stable. */
            name: string;
            /** @description The reason if it decides. */
            reason: components["schemas"]["AccessReason"] | null;
            /** @description The state if it decides. */
            state: components["schemas"]["AccessState"];
        };
        ExplanationCheckLookedAt: {
            /** @description Name of the fact or setting. */
            name: string;
            /** @description Revision of the unit that set the value. Null for a setting, and for what no event set. */
            revision: number | null;
            /** @description The event that set the value. Null for a default, and for what the calendar gives. */
            set_by: components["schemas"]["ExplanationCheckLookedAtSetBy"] | null;
            /** @description Present if the value is of another unit of the tenant. */
            unit_id?: string;
            /** @description The value that it had. */
            value: string | number | boolean | null;
        };
        ExplanationCheckLookedAtSetBy: {
            /** @description The caller that caused it. */
            actor: components["schemas"]["Actor"];
            /** @description Identifier of the command that wrote it. */
            command_id: string;
            /**
             * Format: date-time
             * @description Instant at which it happened.
             */
            occurred_at: string;
            /** @description The `X-Request-Id` of the request that wrote it. */
            request_id: string;
            /** @description Number of the event in its stream, from 0. */
            revision: number;
            /** @description Type of the event. */
            type: components["schemas"]["EventType"];
        };
        Facts: {
            /**
             * @description What is owed, as a decimal number with at most 2 places. Negative: a credit. A move-out resets it to 0.
             * @example 0
             */
            balance_due: number;
            /**
             * @description The ledger of the tenancy, in the words of the PMS. Null: none.
             * @example L-2001
             */
            ledger_id: string | null;
            /**
             * Format: date
             * @description First day of the lease. Null if the unit is vacant.
             * @example 2026-01-15
             */
            move_in_date: string | null;
            /**
             * @description True if the unit is rented. A move-in sets it, a move-out clears it.
             * @example true
             */
            occupied: boolean;
            /**
             * Format: date
             * @description Last day that is paid for. Null: no date, so a balance never denies. A move-out resets it.
             * @example 2026-06-30
             */
            paid_through_date: string | null;
            /**
             * @description True while the contents are auctioned: denied. A move-out resets it.
             * @example false
             */
            pms_auction: boolean;
            /**
             * @description True permits despite debts and lockout. A move-out resets it.
             * @example false
             */
            pms_lock_exempt: boolean;
            /**
             * @description True denies, unless the unit is exempt. A move-out resets it.
             * @example false
             */
            pms_lockout: boolean;
            /**
             * @description The status in the words of the PMS, at most 1,000 characters, nothing personal. It decides nothing, and a move-out keeps it. Null: none.
             * @example Rented
             */
            pms_status_raw: string | null;
            /**
             * @description The tenant. Null if the unit is vacant.
             * @example T-1001
             */
            pms_tenant_id: string | null;
            /**
             * @description True if the unit cannot be rented: denied. A move-out resets it.
             * @example false
             */
            pms_unrentable: boolean;
        };
        FactsBody: {
            /**
             * @description What is owed, as a decimal number with at most 2 places. Negative: a credit. A move-out resets it to 0. Left out: it stays.
             * @example 0
             */
            balance_due?: number;
            /**
             * Format: date
             * @description Last day that is paid for. Null: no date, so a balance never denies. A move-out resets it. Left out: it stays.
             * @example 2026-06-30
             */
            paid_through_date?: string | null;
            /**
             * @description True while the contents are auctioned: denied. A move-out resets it. Left out: it stays.
             * @example false
             */
            pms_auction?: boolean;
            /**
             * @description True permits despite debts and lockout. A move-out resets it. Left out: it stays.
             * @example false
             */
            pms_lock_exempt?: boolean;
            /**
             * @description True denies, unless the unit is exempt. A move-out resets it. Left out: it stays.
             * @example false
             */
            pms_lockout?: boolean;
            /**
             * @description The status in the words of the PMS, at most 1,000 characters, nothing personal. It decides nothing, and a move-out keeps it. Null: none. Left out: it stays.
             * @example Rented
             */
            pms_status_raw?: string | null;
            /**
             * @description True if the unit cannot be rented: denied. A move-out resets it. Left out: it stays.
             * @example false
             */
            pms_unrentable?: boolean;
        };
        Failure: {
            /** @description The service's identifier of the gate, door or elevator. */
            entry_point_id?: string;
            /**
             * @description What failed.
             * @enum {string}
             */
            event: "unlock" | "lock" | "attempt";
            /** @description The app's code of the failure. Null if it gave none. */
            failure_code: string | null;
            /** @description The service's identifier of the location. */
            location_id: string;
            /** @description The service's identifier of the lock. */
            lock_id?: string;
            /** @description Name of the lock or entry point. Null if it is gone. */
            name: string | null;
            /**
             * Format: date-time
             * @description Instant of the failure.
             */
            occurred_at: string;
            /**
             * Format: date-time
             * @description Instant at which an app reported it.
             */
            recorded_at: string;
            /** @description The unit that the lock is on. Null: none, or an entry point. */
            unit_id: string | null;
            /** @description Name of that unit. Null without one. */
            unit_name: string | null;
        };
        /** @enum {string} */
        FaultCode: "required" | "type" | "format" | "too_short" | "too_long" | "out_of_range" | "not_allowed" | "unknown_value" | "ambiguous" | "taken" | "duplicate" | "conflict" | "incorrect" | "too_weak";
        FedEvent: {
            /** @description The caller that caused it. */
            actor: components["schemas"]["Actor"];
            /** @description Identifier of the command that wrote it. */
            command_id: string;
            /** @description The fields of the event, by its type. `AccessOverridden`: `override`, `reason`, `expires_at`. `AccessOverrideCleared`: `cause`. `EntryPointActivityReported`: `log_id`, `location_id`, `tenant_id`, `event`, `result`, `failure_code`, `occurred_at`, `recorded_at`, `battery_percent`, `entry_point_id`. `EntryPointAdded`: `entry_point_id`, `name`, `kind`, `zone_ids`, `in_service`, `at`. `EntryPointChanged`: `entry_point_id`, `name`, `zone_ids`, `in_service`, `at`. `LocationOpened`: `location_id`, `pms_location_code`, `name`, `policy`. `LocationPolicyChanged`: `policy`. `LocationRenamed`: `name`. `LockActivityReported`: `log_id`, `location_id`, `tenant_id`, `event`, `result`, `failure_code`, `occurred_at`, `recorded_at`, `battery_percent`, `lock_id`, `unit_id`. `LockAdded`: `lock_id`, `name`, `serial`. `LockAttached`: `lock_id`, `unit_id`, `at`. `LockDetached`: `lock_id`, `unit_id`, `at`. `TenantDetailsChanged`: `location_id`, `fields`. `TenantErased`: `location_id`. `TenantMovedIn`: `tenancy_id`, `tenant_id`, `pms_tenant_id`, `ledger_id`, `move_in_date`, `replaced_tenant_id`. `TenantMovedOut`: `tenancy_id`, `tenant_id`. `TenantSessionsEnded`: `location_id`. `UnitFactsChanged`: the facts that changed. `UnitRegistered`: `location_id`, `unit_id`, `crm_unit_id`, `unit_name`, `source_type`. `UnitRenamed`: `unit_name`. `UnitRetired`: none. `UnitRevived`: none. `UnitShareEnded`: `tenant_id`, `cause`. `UnitShared`: `tenant_id`. `UnitUnzoned`: `zone_id`, `unit_id`, `at`. `UnitZoned`: `zone_id`, `unit_id`, `at`. `ZoneAdded`: `zone_id`, `name`. */
            data: {
                [key: string]: unknown;
            };
            /** @description Position of the event. Use it as `after`. */
            id: string;
            /**
             * Format: date-time
             * @description Instant at which it happened.
             */
            occurred_at: string;
            /** @description The `X-Request-Id` of the request that wrote it. */
            request_id: string;
            /** @description Number of the event in its stream, from 0. */
            revision: number;
            /** @description What the event is about. */
            subject: components["schemas"]["FedEventSubject"];
            /** @description Type of the event. */
            type: components["schemas"]["EventType"];
        };
        FedEventSubject: {
            /** @description The identifier that the PMS gave the unit. */
            crm_unit_id?: string;
            /** @description The service's identifier of the gate, door or elevator. */
            entry_point_id?: string;
            /**
             * @description What it is. The identifiers beside it name it.
             * @enum {string}
             */
            kind: "unit" | "location" | "tenant" | "lock" | "entry_point";
            /** @description The service's identifier of the location. */
            location_id?: string;
            /** @description The service's identifier of the lock. */
            lock_id?: string;
            /** @description The service's identifier of the tenant's account at one location. */
            tenant_id?: string;
            /** @description The service's identifier of the unit: 26 characters, never reused. */
            unit_id?: string;
        };
        FieldDifference: {
            /** @description A fact; `unit_name` or `pms_location_code`; or `tenant.name`, `tenant.email` or `tenant.phone`, whose values are not told. */
            field: string;
            /** @description The value of the request. */
            given: string | number | boolean | null;
            /** @description The value that the service has. */
            here: string | number | boolean | null;
        };
        FieldFault: {
            /** @description For programs. Stable. `required`: The field is missing, null or blank, and must be there. `type`: The value has another JSON type than the field. `format`: The value has the right type, but a wrong form. `too_short`: The text or list is shorter than the field demands. `too_long`: The text or list is longer than the field allows. `out_of_range`: The number, date or instant is outside its bounds. `not_allowed`: The field or value is not allowed here: take it out. `unknown_value`: The value is not known for the field, or names something that does not exist. `ambiguous`: The value fits several things. Name one exactly. `taken`: Another thing has this value already. `duplicate`: The request states this more than once. `conflict`: The value contradicts another field or entry of the request. `incorrect`: The secret is not the right one. `too_weak`: The password is common or easily guessed. */
            code: components["schemas"]["FaultCode"];
            /** @description Dotted path, as in `errors`. */
            field: string;
            /** @description For people: the field that may be meant. */
            hint?: string;
            /** @description For people. */
            message: string;
        };
        Forecast: {
            /** @description The changes of this page, by date. */
            changes: components["schemas"]["ForecastChange"][];
            /** @description Totals by local date, for the whole location. */
            dates: components["schemas"]["ForecastDate"][];
            /**
             * Format: date-time
             * @description Start of the forecast.
             */
            from: string;
            /** @description The location. */
            location: components["schemas"]["UnitLocation"];
            /** @description Cursor of the next page. Null on the last page. A page may be short, even empty, and not the last. */
            next_cursor: string | null;
            /**
             * Format: date-time
             * @description End of the forecast, exclusive.
             */
            until: string;
        };
        ForecastAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["Forecast"];
            /** @description For people. It may change. */
            message: string;
        };
        ForecastChange: {
            /**
             * Format: date-time
             * @description Instant of the change.
             */
            at: string;
            /** @description The identifier that the PMS gave the unit. */
            crm_unit_id: string;
            /**
             * Format: date
             * @description Local date at the location.
             */
            date: string;
            /** @description The decision before. */
            from: components["schemas"]["Decided"];
            /** @description The decision after. */
            to: components["schemas"]["Decided"];
            /** @description The service's identifier of the unit: 26 characters, never reused. */
            unit_id: string;
            /** @description The name that people read. An operator may change it. */
            unit_name: string;
        };
        ForecastDate: {
            /** @description How many units change. */
            changes: number;
            /**
             * Format: date
             * @description Local date at the location.
             */
            date: string;
            /** @description How many units lose access. */
            denied: number;
            /** @description How many units gain access. */
            permitted: number;
        };
        GetEntryPointProvisioningAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["GetEntryPointProvisioningData"];
            /** @description For people. It may change. */
            message: string;
        };
        GetEntryPointProvisioningData: {
            /** @description Algorithm of the key. */
            algorithm?: string;
            /** @description The service's identifier of the gate, door or elevator. */
            entry_point_id: string;
            /** @description Version of the key's format. */
            format?: number;
            /** @description The secret of this reader, base64url. Keep it in the reader. */
            key?: string;
        };
        GetLockProvisioningAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["GetLockProvisioningData"];
            /** @description For people. It may change. */
            message: string;
        };
        GetLockProvisioningData: {
            /** @description Algorithm of the key. */
            algorithm?: string;
            /** @description Version of the key's format. */
            format?: number;
            /** @description The secret of this lock, base64url. Keep it in the lock. */
            key?: string;
            /** @description The service's identifier of the lock. */
            lock_id: string;
        };
        GetRebuildAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["GetRebuildData"];
            /** @description For people. It may change. */
            message: string;
        };
        GetRebuildData: {
            /**
             * Format: date-time
             * @description Instant of the end. Null before it.
             */
            finished_at: string | null;
            /**
             * Format: date-time
             * @description Instant of the request. Null if there was none.
             */
            requested_at: string | null;
            /** @description Estimate of the seconds left. Null if there is none. */
            seconds_left: number | null;
            /** @description Share of the work that is done, 0 to 1. */
            share_done: number;
            /**
             * Format: date-time
             * @description Instant of the start. Null before it.
             */
            started_at: string | null;
            /**
             * @description `none` if no rebuild was ever requested.
             * @enum {string}
             */
            state: "none" | "waiting" | "running" | "done" | "failed";
        };
        Health: {
            /** @description Always `storage-access`. */
            service: string;
            /** @description Always `ok`: the process answers. */
            status: string;
            /**
             * Format: date-time
             * @description The service's time.
             */
            time: string;
            /** @description Version of the service. */
            version: string;
        };
        HealthAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["Health"];
            /** @description For people. It may change. */
            message: string;
        };
        History: {
            /** @description The entries of this page. */
            entries: components["schemas"]["HistoryEntry"][];
            /** @description Cursor of the next page. Null on the last page. A page may be short, even empty, and not the last. */
            next_cursor: string | null;
        };
        HistoryAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["History"];
            /** @description For people. It may change. */
            message: string;
        };
        HistoryEntry: {
            /** @description The decision before and after. Present only if it changed. */
            access?: components["schemas"]["HistoryEntryAccess"];
            /** @description The caller that caused it. */
            actor: components["schemas"]["Actor"];
            /** @description Present if no write caused it. */
            cause?: components["schemas"]["HistoryEntryCause"];
            /** @description The fields that changed, by name. */
            changes: {
                [key: string]: components["schemas"]["HistoryEntryChange"];
            };
            /** @description Identifier of the command that wrote it. Null for a change that nobody wrote. */
            command_id: string | null;
            /** @description SHA-256 of the event and of the one before it. Null for what is computed. */
            hash: string | null;
            /**
             * Format: date-time
             * @description Instant at which it happened.
             */
            occurred_at: string;
            /** @description The `X-Request-Id` of the request that wrote it. Null for a change that nobody wrote. */
            request_id: string | null;
            /** @description Number of the event in its stream, from 0. It grows with every event. Null if no event is the cause. */
            revision: number | null;
            /** @description Type of the event. `AccessChanged` is computed and has no revision. */
            type: components["schemas"]["HistoryEntryType"];
        };
        HistoryEntryAccess: {
            /** @description The decision before. Null for the first one. */
            from: components["schemas"]["Decided"] | null;
            /** @description The decision after. */
            to: components["schemas"]["Decided"];
        };
        HistoryEntryCause: {
            /** @description The identifier that the PMS gave the unit. */
            crm_unit_id?: string;
            /**
             * @description `calendar`: a date passed. `unit`: another unit of the tenant. `policy`: a change of policy.
             * @enum {string}
             */
            kind: "calendar" | "unit" | "policy";
            /** @description The service's identifier of the location. */
            location_id?: string;
            /** @description Revision of that unit or location. */
            revision?: number;
            /** @description The service's identifier of the unit: 26 characters, never reused. */
            unit_id?: string;
        };
        HistoryEntryChange: {
            /** @description The value before. A text, a number, true or false, a list of tenants, or null if there was none. */
            from: string | number | boolean | null | string[];
            /** @description The value after. A text, a number, true or false, a list of tenants, or null if there was none. */
            to: string | number | boolean | null | string[];
        };
        /** @enum {string} */
        HistoryEntryType: "UnitRegistered" | "UnitRenamed" | "TenantMovedIn" | "TenantMovedOut" | "UnitFactsChanged" | "AccessOverridden" | "AccessOverrideCleared" | "UnitShared" | "UnitShareEnded" | "UnitRetired" | "UnitRevived" | "AccessChanged";
        IssuedApiToken: {
            /**
             * Format: date-time
             * @description Instant of creation.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Instant at which it ends. Null if it never does.
             */
            expires_at: string | null;
            /** @description The name that people read. */
            name: string;
            /**
             * @description `write`, or `read` for a token that may only read.
             * @enum {string}
             */
            scope: "write" | "read";
            /** @description Shown once. Null in an answer that an `Idempotency-Key` replays. */
            token: string | null;
            /** @description The service's identifier of the API token. */
            token_id: string;
        };
        IssuedApiTokenAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["IssuedApiToken"];
            /** @description For people. It may change. */
            message: string;
        };
        ListEntryPointsAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["ListEntryPointsData"];
            /** @description For people. It may change. */
            message: string;
        };
        ListEntryPointsData: {
            /** @description Gates, doors and elevators of the location. */
            entry_points: components["schemas"]["EntryPoint"][];
        };
        ListLocksAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["ListLocksData"];
            /** @description For people. It may change. */
            message: string;
        };
        ListLocksData: {
            /** @description The locks of the location. */
            locks: components["schemas"]["Lock"][];
        };
        ListOperatorsAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["ListOperatorsData"];
            /** @description For people. It may change. */
            message: string;
        };
        ListOperatorsData: {
            /** @description All operators. */
            operators: components["schemas"]["OperatorAccount"][];
        };
        ListZonesAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["ListZonesData"];
            /** @description For people. It may change. */
            message: string;
        };
        ListZonesData: {
            /** @description The zones of the location. */
            zones: components["schemas"]["Zone"][];
        };
        Location: {
            /** @description A balance up to this amount denies nobody. At most 2 decimals, default 0. */
            balance_threshold: number;
            /** @description True: one delinquent unit denies the tenant's other units at the location too. Default true. */
            blanket_delinquency: boolean;
            /** @description The service's identifier of the company. */
            company_id: string;
            /** @description `automatic`: debts deny by date. `pms_flag_only`: only the flags of the PMS deny. Default `automatic`. */
            delinquency_mode: components["schemas"]["DelinquencyMode"];
            /** @description Whole calendar days after `paid_through_date` before a debt denies. 0 to 90, default 5. */
            grace_period_days: number;
            /** @description The service's identifier of the location. */
            location_id: string;
            /** @description The name that people read. */
            name: string;
            /** @description The code by which the PMS names the location. Unique within the company. */
            pms_location_code: string;
            /** @description IANA time zone. Days begin and end in it. Default `UTC`. */
            timezone: string;
        };
        LocationAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["Location"];
            /** @description For people. It may change. */
            message: string;
        };
        LocationChangeBody: {
            /** @description A balance up to this amount denies nobody. Left out: it stays; of a new location 0. */
            balance_threshold?: number;
            /** @description True: one delinquent unit denies the tenant's other units there. Left out: it stays; of a new location true. */
            blanket_delinquency?: boolean;
            /**
             * @description `automatic`, or `pms_flag_only`: debts never deny by themselves. Left out: it stays; of a new location `automatic`.
             * @enum {string}
             */
            delinquency_mode?: "automatic" | "pms_flag_only";
            /** @description Whole calendar days after `paid_through_date` before a debt denies. Left out: it stays; of a new location 5. */
            grace_period_days?: number;
            /** @description Text of 1 to 255 characters, none of them invisible. Left out: it stays. */
            name?: string;
            /** @description IANA time zone. Left out: it stays; of a new location `UTC`. */
            timezone?: string;
        };
        LocationSetup: {
            /** @description Rows that were carried out. */
            changed: number;
            /** @description True if nothing was written. Present only for a dry run. */
            dry_run?: boolean;
            /** @description Rows of which nothing was done, in their order. */
            errors: components["schemas"]["LocationSetupError"][];
            /** @description Locks that were made. */
            locks_created: number;
            /** @description The rows that were not refused, in their order. */
            rows: components["schemas"]["LocationSetupRow"][];
            /** @description Rows of the request. `changed`, `unchanged` and `errors` add up to it. */
            total: number;
            /** @description Rows of units that have all that already. */
            unchanged: number;
            /** @description Units that were made. */
            units_created: number;
            /** @description Rows of `rows` that may be a mistake: a new zone with nearly the name of another, a second zone or lock of a unit. */
            warnings: components["schemas"]["LocationSetupWarning"][];
            /** @description Zones that were made. */
            zones_created: number;
            /** @description Names of zones of these rows that no entry point leads to: units there open none. */
            zones_without_entry_point: string[];
        };
        LocationSetupAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["LocationSetup"];
            /** @description For people. It may change. */
            message: string;
        };
        LocationSetupError: {
            /** @description For programs. Stable: match this, never `message`. */
            code: components["schemas"]["ErrorCode"];
            /** @description The same faults, one a field, each with a code for programs. */
            details?: components["schemas"]["FieldFault"][];
            /** @description All messages of the row in one line, each with its path. */
            error: string;
            /** @description Messages by the dotted path of the field. */
            errors?: {
                [key: string]: string[];
            };
            /** @description Number of the row, from 1. */
            row: number;
            /** @description The unit as the row names it. */
            unit: string;
        };
        LocationSetupRow: {
            /** @description What was done. Empty if the unit has all that already. */
            changes: ("unit_created" | "zone_created" | "unit_zoned" | "lock_created" | "lock_attached")[];
            /** @description Name or serial number of the lock. Null: none. */
            lock: string | null;
            /** @description Null if the row names no lock, and in a dry run. */
            lock_id: string | null;
            /** @description Number of the row, from 1. */
            row: number;
            /** @description The unit as the row names it. */
            unit: string;
            /** @description Null for a new unit in a dry run. */
            unit_id: string | null;
            /** @description The name that people read. An operator may change it. */
            unit_name: string;
            /** @description The zone of the row. Null: none. */
            zone: string | null;
            /** @description Null if the row names no zone, and in a dry run. */
            zone_id: string | null;
        };
        LocationSetupWarning: {
            /**
             * @description The reason.
             * @enum {string}
             */
            code: "zone_name_similar" | "unit_in_other_zone" | "unit_has_other_lock";
            /** @description The reason in words, with the names that exist. */
            message: string;
            /** @description Number of the row, from 1. */
            row: number;
            /** @description The unit as the row names it. */
            unit: string;
        };
        LocationWithPolicy: {
            /** @description The service's identifier of the location. */
            id: string;
            /** @description The name that people read. */
            name: string;
            /** @description The code by which the PMS names the location. Unique within the company. */
            pms_location_code: string;
            /** @description The location's settings for decisions. */
            policy: components["schemas"]["Policy"];
            /** @description IANA time zone. Days begin and end in it. Default `UTC`. */
            timezone: string;
        };
        Lock: {
            /** @description The service's identifier of the location. */
            location_id: string;
            /** @description The service's identifier of the lock. */
            lock_id: string;
            /** @description The name that people read. */
            name: string;
            /** @description The maker's serial number. Null if it is not known. */
            serial: string | null;
            /** @description The unit that it is attached to. Null if it is on none. */
            unit_id: string | null;
        };
        LockAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["Lock"];
            /** @description For people. It may change. */
            message: string;
        };
        LockedOutUnit: {
            /** @description What is owed, as a decimal number with at most 2 places. Negative: a credit. A move-out resets it to 0. */
            balance_due: number;
            /** @description Whole days past `paid_through_date`. Null if there is no date. */
            days_late: number | null;
            /**
             * Format: date-time
             * @description Instant of the tenant's last refusal at a lock of such a unit or at a gate of the location. Null if there is none among their newest reports.
             */
            last_refused_at: string | null;
            /** @description The service's identifier of the location. */
            location_id: string;
            /** @description Name of the location. */
            location_name: string;
            /**
             * Format: date-time
             * @description Instant since which the unit is known to be locked out, counted anew each 15 minutes. For a unit that was moved in or imported locked out it is that instant. Null if more than 14 days ago. Left out: not locked out, or not counted yet.
             */
            locked_out_since?: string | null;
            /** @description International format with a leading +. Null if it is not known or was erased. */
            phone: string | null;
            /** @description Why access is denied. */
            reason: components["schemas"]["AccessReason"];
            /** @description The service's identifier of the tenant's account at one location. */
            tenant_id: string;
            /** @description The tenant's name. Null if it is not known or was erased. */
            tenant_name: string | null;
            /** @description The service's identifier of the unit: 26 characters, never reused. */
            unit_id: string;
            /** @description The name that people read. An operator may change it. */
            unit_name: string;
        };
        LogEntries: {
            /** @description One outcome for each report, in the order of the request. */
            entries: components["schemas"]["LogOutcome"][];
        };
        LogEntry: {
            /** @description The service's identifier of the report. */
            log_id: string;
            /**
             * Format: date-time
             * @description Instant at which the service recorded it.
             */
            recorded_at: string;
        };
        Logged: components["schemas"]["LogEntry"] | components["schemas"]["LogEntries"];
        LoggedAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["Logged"];
            /** @description For people. It may change. */
            message: string;
        };
        Login: components["schemas"]["TenantSession"] | components["schemas"]["AccountChoice"];
        LoginAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["Login"];
            /** @description For people. It may change. */
            message: string;
        };
        LoginBody: {
            /** @description Six digits of the authenticator, or a recovery code. Needed if the operator has a second factor. */
            code?: string;
            /** @description The operator's e-mail address. */
            email: string;
            /** @description The operator's password. 5 wrong ones in 60 s for an address answer 429. */
            password: string;
        };
        LogOutcome: components["schemas"]["LogEntry"] | components["schemas"]["RefusedLogEntry"];
        LowBattery: {
            /** @description Charge of the battery in percent. */
            battery_percent: number;
            /** @description The service's identifier of the gate, door or elevator. */
            entry_point_id?: string;
            /** @description The service's identifier of the location. */
            location_id: string;
            /** @description The service's identifier of the lock. */
            lock_id?: string;
            /** @description Name of the lock or entry point. Null if it is gone. */
            name: string | null;
            /**
             * Format: date-time
             * @description Instant of the report.
             */
            reported_at: string;
            /** @description The unit that the lock is on. Null: none, or an entry point. */
            unit_id: string | null;
            /** @description Name of that unit. Null without one. */
            unit_name: string | null;
        };
        MoveInBody: {
            /** @description The ledger of this tenancy, in the words of the PMS. Left out: the same tenant keeps it, another has none. Null: none. */
            ledger_id?: string | null;
            /**
             * Format: date
             * @description First day of the lease, in the time zone of the location. Before it access is denied (`future_move_in`).
             */
            move_in_date: string;
            /** @description Where a new unit is. It may be left out if the company has exactly one location. An unknown code is refused. On an existing unit another code is ignored with the warning `location_ignored`. */
            pms_location_code?: string;
            /** @description The tenant who moves in. Another tenant than the present one replaces the tenancy: shares and an override end, other facts stay with a warning. */
            pms_tenant_id: string;
            /** @description Used only when the unit is created; left out: the `crm_unit_id`. On an existing unit another name is ignored with the warning `unit_name_ignored`. */
            unit_name?: string;
        };
        NameBody: {
            /** @description Text of 1 to 255 characters, none of them invisible. */
            name: string;
        };
        NewCompanyBody: {
            /** @description Text of 1 to 255 characters, none of them invisible. */
            name: string;
            /** @description True: a company to try things out, with a clock of its own and keys that open nothing. Left out: false. It cannot be changed. */
            sandbox?: boolean;
        };
        NewEntryPointBody: {
            /**
             * @description It cannot be changed.
             * @enum {string}
             */
            kind: "gate" | "door" | "elevator";
            /** @description Text of 1 to 255 characters, none of them invisible. */
            name: string;
            /** @description The zones that it opens to, at most 500. A tenant with a permitted unit in one of them may pass. */
            zone_ids: string[];
        };
        NewLocationBody: {
            /** @description A balance up to this amount denies nobody. Left out: it stays; of a new location 0. */
            balance_threshold?: number;
            /** @description True: one delinquent unit denies the tenant's other units there. Left out: it stays; of a new location true. */
            blanket_delinquency?: boolean;
            /**
             * @description `automatic`, or `pms_flag_only`: debts never deny by themselves. Left out: it stays; of a new location `automatic`.
             * @enum {string}
             */
            delinquency_mode?: "automatic" | "pms_flag_only";
            /** @description Whole calendar days after `paid_through_date` before a debt denies. Left out: it stays; of a new location 5. */
            grace_period_days?: number;
            /** @description Text of 1 to 255 characters, none of them invisible. */
            name: string;
            /** @description The code of the PMS, unique in the company. A taken one is refused. It cannot be changed. */
            pms_location_code: string;
            /** @description IANA time zone. Left out: it stays; of a new location `UTC`. */
            timezone?: string;
        };
        NewLockBody: {
            /** @description Text of 1 to 255 characters, none of them invisible. */
            name: string;
            /** @description The maker's serial number. No other lock of the location may have it. Left out or null: not known. */
            serial?: string | null;
        };
        NewOperatorBody: {
            /** @description The companies that the operator sees, at most 1,000. Left out or null: all of them. */
            companies?: string[] | null;
            /** @description True: the operator cannot sign in. Left out: false. */
            disabled?: boolean;
            /**
             * Format: email
             * @description E-mail address, unique. A taken one is refused.
             */
            email: string;
            /** @description 12 to 256 characters. A common or easily guessed one is refused. */
            password: string;
            /**
             * @description `auditor` reads, `manager` runs facilities, `admin` does everything.
             * @enum {string}
             */
            role: "auditor" | "manager" | "admin";
        };
        NewTenant: {
            /**
             * Format: email
             * @description E-mail address. Left out or null: none.
             */
            email?: string | null;
            /** @description Full name. Text of 1 to 255 characters, none of them invisible. */
            name: string;
            /** @description International format with a leading +. Left out or null: none. Without it the tenant cannot sign in. */
            phone?: string | null;
            /** @description Identifier of the account, unique at the location. A taken one is refused. */
            pms_tenant_id: string;
        };
        NewUnitBody: {
            /** @description Key of the unit: 1 to 128 characters, unique in the company. A taken one is refused. */
            crm_unit_id: string;
            /** @description The name that people read, 1 to 255 characters. Left out: the `crm_unit_id`. */
            unit_name?: string;
        };
        OperatorAccount: {
            /** @description The companies that the operator sees. Null: all. */
            companies: string[] | null;
            /**
             * Format: date-time
             * @description Instant of creation.
             */
            created_at: string;
            /** @description True if the operator cannot sign in. */
            disabled: boolean;
            /** @description E-mail address, unique among operators. */
            email: string;
            /** @description The service's identifier of the operator. */
            operator_id: string;
            /**
             * @description `auditor` reads, `manager` runs facilities, `admin` does everything.
             * @enum {string}
             */
            role: "auditor" | "manager" | "admin";
            /** @description True if signing in needs a second factor. */
            second_factor: boolean;
        };
        OperatorAccountAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["OperatorAccount"];
            /** @description For people. It may change. */
            message: string;
        };
        OperatorActivityEntry: {
            /** @description Charge of the battery in percent, 0 to 100. Null if it was not reported. */
            battery_percent?: number | null;
            /** @description The tenant's units that an opening led to, if none of them was open at that instant. Left out: none. */
            denied_units?: components["schemas"]["DeniedThen"][];
            /** @description The service's identifier of the gate, door or elevator. */
            entry_point_id?: string;
            /** @description Name of the entry point. Null if it is not known. */
            entry_point_name?: string | null;
            /**
             * @description What happened.
             * @enum {string}
             */
            event: "unlock" | "lock" | "attempt";
            /** @description The app's code of the failure. Null if it did not fail. */
            failure_code: string | null;
            /** @description The service's identifier of the lock. */
            lock_id?: string;
            /** @description Name of the lock. Null if it is not known. */
            lock_name?: string | null;
            /** @description The service's identifier of the report. */
            log_id: string;
            /** @description The tenant's note. Null if there is none or the tenant was erased. */
            message: string | null;
            /**
             * Format: date-time
             * @description Instant at which it happened.
             */
            occurred_at: string;
            /**
             * Format: date-time
             * @description Instant at which the service recorded it.
             */
            recorded_at: string;
            /**
             * @description Whether it worked.
             * @enum {string}
             */
            result: "success" | "failure";
            /** @description The service's identifier of the tenant's account at one location. */
            tenant_id: string;
            /** @description The unit that the lock was on. Null if it was on none. */
            unit_id?: string | null;
        };
        OperatorActivityPage: {
            /** @description The entries of this page. */
            entries: components["schemas"]["OperatorActivityEntry"][];
            /** @description Cursor of the next page. Null on the last page. A page may be short, even empty, and not the last. */
            next_cursor: string | null;
        };
        OperatorActivityPageAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["OperatorActivityPage"];
            /** @description For people. It may change. */
            message: string;
        };
        OperatorChangeBody: {
            /** @description The companies that the operator sees, at most 1,000. A change ends all sessions. Left out: it stays. Null: all companies. */
            companies?: string[] | null;
            /** @description True ends all sessions. Left out: it stays. */
            disabled?: boolean;
            /**
             * Format: email
             * @description E-mail address, unique. A taken one is refused. Left out: it stays.
             */
            email?: string;
            /** @description 12 to 256 characters. A common or easily guessed one is refused. A change ends all sessions. Left out: it stays. */
            password?: string;
            /**
             * @description A change ends all sessions. Left out: it stays.
             * @enum {string}
             */
            role?: "auditor" | "manager" | "admin";
        };
        OperatorTenant: {
            /** @description The service's identifier of the company. */
            company_id: string;
            /**
             * Format: date-time
             * @description Instant of creation.
             */
            created_at: string;
            /** @description E-mail address. Null if it is not known or was erased. */
            email: string | null;
            /**
             * Format: date-time
             * @description Instant at which the personal details were erased. Null if they were not.
             */
            erased_at: string | null;
            /** @description The service's identifier of the location. */
            location_id: string;
            /** @description Full name. Null if it is not known or was erased. */
            name: string | null;
            /** @description International format with a leading +. Null if it is not known or was erased. */
            phone: string | null;
            /** @description The identifier that the PMS gave the tenant. It names one account per location, so the same value at two locations is two accounts. */
            pms_tenant_id: string;
            /** @description The service's identifier of the tenant's account at one location. */
            tenant_id: string;
        };
        OperatorTenantDetail: {
            /** @description The service's identifier of the company. */
            company_id: string;
            /**
             * Format: date-time
             * @description Instant of creation.
             */
            created_at: string;
            /** @description E-mail address. Null if it is not known or was erased. */
            email: string | null;
            /**
             * Format: date-time
             * @description Instant at which the personal details were erased. Null if they were not.
             */
            erased_at: string | null;
            /** @description Keys given out that still work offline, until they expire. */
            keys_outstanding: components["schemas"]["OperatorTenantDetailKeysOutstanding"][];
            /** @description The service's identifier of the location. */
            location_id: string;
            /** @description Full name. Null if it is not known or was erased. */
            name: string | null;
            /** @description International format with a leading +. Null if it is not known or was erased. */
            phone: string | null;
            /** @description The identifier that the PMS gave the tenant. It names one account per location, so the same value at two locations is two accounts. */
            pms_tenant_id: string;
            /** @description Sessions that have not ended. */
            sessions: components["schemas"]["OperatorTenantDetailSession"][];
            /** @description Units of others that the tenant shares. */
            shares: components["schemas"]["Unit"][];
            /** @description The service's identifier of the tenant's account at one location. */
            tenant_id: string;
            /** @description The units that the tenant rents. */
            units: components["schemas"]["Unit"][];
            /** @description How many units were left out of the answer. Left out: none. */
            units_left_out?: number;
        };
        OperatorTenantDetailAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["OperatorTenantDetail"];
            /** @description For people. It may change. */
            message: string;
        };
        OperatorTenantDetailKeysOutstanding: {
            /** @description The service's identifier of the gate, door or elevator. */
            entry_point_id?: string;
            /**
             * Format: date-time
             * @description Instant after which the lock refuses the key.
             */
            expires_at: string;
            /** @description The service's identifier of the lock. */
            lock_id?: string;
            /** @description Name of the lock or entry point. Null if it is gone. */
            name: string | null;
        };
        OperatorTenantDetailSession: {
            /**
             * Format: date-time
             * @description Instant of creation.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Instant at which it ends.
             */
            expires_at: string;
            /** @description Identifier of the session. It is no credential. */
            session_id: string;
        };
        OperatorTenantPage: {
            /** @description Cursor of the next page. Null on the last page. A page may be short, even empty, and not the last. */
            next_cursor: string | null;
            /** @description The tenants of this page. */
            tenants: components["schemas"]["OperatorTenant"][];
        };
        OperatorTenantPageAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["OperatorTenantPage"];
            /** @description For people. It may change. */
            message: string;
        };
        OperatorUnit: {
            /** @description The decision about the unit. */
            access: components["schemas"]["Access"];
            /** @description The service's identifier of the company. */
            company_id: string;
            /** @description The identifier that the PMS gave the unit. */
            crm_unit_id: string;
            /** @description What the PMS says of the unit. */
            facts: components["schemas"]["Facts"];
            /**
             * Format: date-time
             * @description Instant of the last successful unlock. It never moves back. Null if there is none.
             */
            last_accessed_at: string | null;
            /** @description The location of the unit. */
            location: components["schemas"]["UnitLocation"];
            /**
             * Format: date-time
             * @description Instant since which the unit is known to be locked out, counted anew each 15 minutes. For a unit that was moved in or imported locked out it is that instant. Null if more than 14 days ago. Left out: not locked out, or not counted yet.
             */
            locked_out_since?: string | null;
            /** @description True if the unit was retired: integrators get 404 for it. */
            retired: boolean;
            /** @description Number of the latest event in the stream, from 0. It grows with every event. */
            revision: number;
            /** @description The side that writes the unit: `push`, `pull`, or `standalone` for operators. */
            source_type: components["schemas"]["SourceType"];
            /** @description The service's identifier of the unit: 26 characters, never reused. */
            unit_id: string;
            /** @description The name that people read. An operator may change it. */
            unit_name: string;
        };
        OperatorUnitDetail: {
            /** @description The decision about the unit. */
            access: components["schemas"]["ExplainedAccess"];
            /** @description The service's identifier of the company. */
            company_id: string;
            /** @description The identifier that the PMS gave the unit. */
            crm_unit_id: string;
            /** @description What the PMS says of the unit. */
            facts: components["schemas"]["Facts"];
            /**
             * Format: date-time
             * @description Instant of the last successful unlock. It never moves back. Null if there is none.
             */
            last_accessed_at: string | null;
            /** @description The location of the unit. */
            location: components["schemas"]["UnitLocation"];
            /**
             * Format: date-time
             * @description Instant since which the unit is known to be locked out, counted anew each 15 minutes. For a unit that was moved in or imported locked out it is that instant. Null if more than 14 days ago. Left out: not locked out, or not counted yet.
             */
            locked_out_since?: string | null;
            /** @description The locks of the unit. */
            locks: components["schemas"]["OperatorUnitDetailLock"][];
            /** @description Keys to locks since removed and to entry points, until they expire. */
            other_keys_outstanding: components["schemas"]["OperatorUnitDetailOtherKeysOutstanding"][];
            /** @description The operator's override. Null if there is none or it ended. */
            override: components["schemas"]["OperatorUnitDetailOverride"] | null;
            /** @description True if the unit was retired: integrators get 404 for it. */
            retired: boolean;
            /** @description Number of the latest event in the stream, from 0. It grows with every event. */
            revision: number;
            /** @description Tenants who share the unit. */
            shares: components["schemas"]["TenantSummary"][];
            /** @description The side that writes the unit: `push`, `pull`, or `standalone` for operators. */
            source_type: components["schemas"]["SourceType"];
            /** @description The tenant. Null if the unit is vacant. */
            tenant: components["schemas"]["TenantSummary"] | null;
            /** @description The service's identifier of the unit: 26 characters, never reused. */
            unit_id: string;
            /** @description The name that people read. An operator may change it. */
            unit_name: string;
            /** @description The zones that the unit is in. */
            zones: components["schemas"]["OperatorUnitDetailZone"][];
        };
        OperatorUnitDetailAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["OperatorUnitDetail"];
            /** @description For people. It may change. */
            message: string;
        };
        OperatorUnitDetailLock: {
            /** @description Keys given out that still work offline. */
            keys_outstanding: components["schemas"]["OperatorUnitDetailLockKeysOutstanding"][];
            /** @description The service's identifier of the lock. */
            lock_id: string;
            /** @description The name that people read. */
            name: string;
            /** @description The maker's serial number. Null if it is not known. */
            serial: string | null;
        };
        OperatorUnitDetailLockKeysOutstanding: {
            /**
             * Format: date-time
             * @description Instant after which the lock refuses the key.
             */
            expires_at: string;
            /** @description The service's identifier of the tenant's account at one location. */
            tenant_id: string;
        };
        OperatorUnitDetailOtherKeysOutstanding: {
            /** @description The service's identifier of the gate, door or elevator. */
            entry_point_id?: string;
            /**
             * Format: date-time
             * @description Instant after which the lock refuses the key.
             */
            expires_at: string;
            /** @description The service's identifier of the lock. */
            lock_id?: string;
            /** @description Name of the lock or entry point. Null if it is gone. */
            name: string | null;
            /** @description The service's identifier of the tenant's account at one location. */
            tenant_id: string;
        };
        OperatorUnitDetailOverride: {
            /**
             * Format: date-time
             * @description Instant at which it ends by itself. Null if it never does.
             */
            expires_at: string | null;
            /**
             * @description `lockout` denies, `exempt` permits.
             * @enum {string}
             */
            override: "lockout" | "exempt";
            /** @description The operator's reason. */
            reason: string;
        };
        OperatorUnitDetailZone: {
            /** @description Name of the zone. Null if it is gone. */
            name: string | null;
            /** @description The service's identifier of the zone. */
            zone_id: string;
        };
        OperatorUnitPage: {
            /** @description Cursor of the next page. Null on the last page. A page may be short, even empty, and not the last. */
            next_cursor: string | null;
            /** @description The units of this page. */
            units: components["schemas"]["OperatorUnit"][];
        };
        OperatorUnitPageAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["OperatorUnitPage"];
            /** @description For people. It may change. */
            message: string;
        };
        OperatorWrite: {
            /** @description The decision after the write. */
            access: components["schemas"]["Access"];
            /**
             * Format: date-time
             * @description Instant at which the write took effect.
             */
            applied_at: string;
            /** @description The service's identifier of the unit: 26 characters, never reused. */
            unit_id: string;
        };
        OperatorWriteAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["OperatorWrite"];
            /** @description For people. It may change. */
            message: string;
        };
        OtpVerification: {
            /** @description Calling code without +, 1 to 3 digits. */
            country_code: string;
            /** @description The six digits of the message. A code holds for 5 minutes, for one login and for 5 wrong tries. */
            otp: string;
            /** @description The number without the calling code, 7 to 15 digits. */
            phone_number: string;
            /** @description The account to sign in to. Left out: the only one; several are answered as a choice. An account of another phone is refused. */
            tenant_id?: string;
        };
        OverrideBody: {
            /**
             * Format: date-time
             * @description Instant in the future at which the override ends. Left out or null: it ends when it is cleared.
             */
            expires_at?: string | null;
            /**
             * @description `lockout` denies, `exempt` permits, whatever the PMS says. It replaces the present override.
             * @enum {string}
             */
            override: "lockout" | "exempt";
            /** @description Why, for auditors: 1 to 500 characters, not blank, nothing personal. */
            reason: string;
        };
        PasswordBody: {
            /** @description The present password. */
            current: string;
            /** @description 12 to 256 characters. A common or easily guessed one is refused. */
            next: string;
        };
        PhoneNumber: {
            /** @description Calling code without +, 1 to 3 digits. */
            country_code: string;
            /** @description The number without the calling code, 7 to 15 digits. */
            phone_number: string;
        };
        Policy: {
            /** @description A balance up to this amount denies nobody. At most 2 decimals, default 0. */
            balance_threshold: number;
            /** @description True: one delinquent unit denies the tenant's other units at the location too. Default true. */
            blanket_delinquency: boolean;
            /** @description `automatic`: debts deny by date. `pms_flag_only`: only the flags of the PMS deny. Default `automatic`. */
            delinquency_mode: components["schemas"]["DelinquencyMode"];
            /** @description Whole calendar days after `paid_through_date` before a debt denies. 0 to 90, default 5. */
            grace_period_days: number;
            /** @description IANA time zone. Days begin and end in it. Default `UTC`. */
            timezone: string;
        };
        PolicyEffect: {
            /** @description These units, the highest balance first, at most 500. */
            changes: components["schemas"]["PolicyEffectChange"][];
            /** @description Units that lose access. */
            locked: number;
            /** @description Units that gain access. */
            opened: number;
            /** @description Tenants of these units. */
            tenants: number;
        };
        PolicyEffectChange: {
            /** @description What is owed, as a decimal number with at most 2 places. Negative: a credit. A move-out resets it to 0. */
            balance_due: number;
            /** @description The identifier that the PMS gave the unit. */
            crm_unit_id: string;
            /** @description The decision before. */
            from: components["schemas"]["Decided"];
            /** @description The service's identifier of the tenant's account at one location. */
            tenant_id: string;
            /** @description The decision after. */
            to: components["schemas"]["Decided"];
            /** @description The service's identifier of the unit: 26 characters, never reused. */
            unit_id: string;
            /** @description The name that people read. An operator may change it. */
            unit_name: string;
        };
        PolicyFields: {
            /** @description A balance up to this amount denies nobody. Left out: it stays; of a new location 0. */
            balance_threshold?: number;
            /** @description True: one delinquent unit denies the tenant's other units there. Left out: it stays; of a new location true. */
            blanket_delinquency?: boolean;
            /**
             * @description `automatic`, or `pms_flag_only`: debts never deny by themselves. Left out: it stays; of a new location `automatic`.
             * @enum {string}
             */
            delinquency_mode?: "automatic" | "pms_flag_only";
            /** @description Whole calendar days after `paid_through_date` before a debt denies. Left out: it stays; of a new location 5. */
            grace_period_days?: number;
            /** @description IANA time zone. Left out: it stays; of a new location `UTC`. */
            timezone?: string;
        };
        PullFailure: {
            /**
             * @description For programs. Stable.
             * @enum {string}
             */
            code: "address_refused" | "unreachable" | "timeout" | "cut_off" | "http_status" | "rate_limited" | "redirect_refused" | "too_large" | "not_json" | "document_invalid" | "page_loop" | "too_many_pages" | "secret_unreadable" | "run_too_long" | "interrupted" | "store_unavailable" | "internal_error";
            /** @description For people. It may change. */
            message: string;
        };
        PullRun: {
            /** @description Units that were created. */
            created: number;
            /** @description Milliseconds from start to end. Null before the end. */
            duration_ms: number | null;
            /** @description Rows that were refused. */
            error_count: number;
            /** @description The first entries that were not applied. `error_count` counts all. */
            errors: components["schemas"]["EntryError"][];
            /** @description Why the run failed. Null if it did not. */
            failure: components["schemas"]["PullFailure"] | null;
            /**
             * Format: date-time
             * @description Instant of the end. Null before it.
             */
            finished_at: string | null;
            /** @description Pages that were read. */
            pages: number;
            /** @description Pages that had not changed since the run before. */
            pages_not_modified: number;
            /**
             * Format: date-time
             * @description Instant of the request.
             */
            requested_at: string;
            /** @description The service's identifier of the run. */
            run_id: string;
            /** @description Entries older than a single write of their unit, by the `snapshot_at` of the page. */
            skipped: number;
            /**
             * Format: date-time
             * @description Instant of the start. Null before it.
             */
            started_at: string | null;
            /**
             * @description State of the run.
             * @enum {string}
             */
            state: "queued" | "running" | "succeeded" | "failed";
            /** @description Rows that were read. The counts beside it add up to it. */
            total: number;
            /** @description Units that already were as sent. They leave no event. */
            unchanged: number;
            /** @description Units that were changed, or whose tenant was. */
            updated: number;
        };
        PullRunAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["PullRun"];
            /** @description For people. It may change. */
            message: string;
        };
        PullRunPage: {
            /** @description Cursor of the next page. Null on the last page. A page may be short, even empty, and not the last. */
            next_cursor: string | null;
            /** @description The runs of this page, newest first. */
            runs: components["schemas"]["PullRun"][];
        };
        PullRunPageAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["PullRunPage"];
            /** @description For people. It may change. */
            message: string;
        };
        PullSource: {
            /** @description The service's identifier of the company. */
            company_id: string;
            /**
             * Format: date-time
             * @description Instant of creation.
             */
            created_at: string;
            /** @description False: it runs only when somebody starts it. */
            enabled: boolean;
            /** @description True if an `Authorization` header is sent. It is never shown. */
            has_auth_header: boolean;
            /** @description Seconds between two runs. 60 to 86,400. */
            interval_seconds: number;
            /** @description Rows that the newest run refused. */
            last_run_errors: number;
            /** @description The newest run. Null if there is none. */
            last_run_id: string | null;
            /**
             * @description State of the newest run. Null if there is none.
             * @enum {string|null}
             */
            last_run_state: "queued" | "running" | "succeeded" | "failed" | null;
            /** @description Rows that the newest run read. */
            last_run_total: number;
            /** @description True if a run is overdue. */
            late: boolean;
            /** @description For each name in the source, the field of a bulk entry that it fills; null leaves it out. Null: the names are the same. */
            mapping: {
                [key: string]: string | null;
            } | null;
            /** @description The name that people read. */
            name: string;
            /**
             * Format: date-time
             * @description Instant of the next run. Null if it is off.
             */
            next_run_at: string | null;
            /** @description The service's identifier of the pull source. */
            pull_source_id: string;
            /** @description True during a run. */
            running: boolean;
            /** @description Address that is fetched. */
            url: string;
        };
        PullSourceAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["PullSource"];
            /** @description For people. It may change. */
            message: string;
        };
        PullSourceBody: {
            /** @description Value of the `Authorization` header, printable ASCII. It is never shown again. Null: none. Left out: none. */
            auth_header?: string | null;
            /** @description Seconds between two runs, 60 to 86,400. */
            interval_seconds: number;
            /** @description For each name in the source, the field of a bulk entry that it fills. Null leaves it out. A name that begins with `=` is the value itself, for every row: `{"=MAIN": "pms_location_code"}`. Without a mapping the names are the same. */
            mapping?: {
                [key: string]: "crm_unit_id" | "unit_name" | "pms_location_code" | "occupied" | "pms_tenant_id" | "ledger_id" | "move_in_date" | "balance_due" | "paid_through_date" | "pms_lockout" | "pms_lock_exempt" | "pms_auction" | "pms_unrentable" | "pms_status_raw" | "tenant" | "tenant.pms_tenant_id" | "tenant.first_name" | "tenant.last_name" | "tenant.email" | "tenant.phone" | null;
            } | null;
            /** @description Text of 1 to 255 characters, none of them invisible. */
            name: string;
            /**
             * Format: uri
             * @description http or https, at most 2,048 characters, without user name and password. Loopback and private addresses are refused unless the service allows them.
             */
            url: string;
        };
        PullSourceChangeBody: {
            /** @description Value of the `Authorization` header, printable ASCII. It is never shown again. Null: none. Left out: it stays. */
            auth_header?: string | null;
            /** @description False: it runs only when somebody starts it. Left out: it stays. */
            enabled?: boolean;
            /** @description Seconds between two runs, 60 to 86,400. Left out: it stays. */
            interval_seconds?: number;
            /** @description For each name in the source, the field of a bulk entry that it fills. Null: the names are the same. Left out: it stays. */
            mapping?: {
                [key: string]: "crm_unit_id" | "unit_name" | "pms_location_code" | "occupied" | "pms_tenant_id" | "ledger_id" | "move_in_date" | "balance_due" | "paid_through_date" | "pms_lockout" | "pms_lock_exempt" | "pms_auction" | "pms_unrentable" | "pms_status_raw" | "tenant" | "tenant.pms_tenant_id" | "tenant.first_name" | "tenant.last_name" | "tenant.email" | "tenant.phone" | null;
            } | null;
            /** @description Text of 1 to 255 characters, none of them invisible. Left out: it stays. */
            name?: string;
            /**
             * Format: uri
             * @description http or https, at most 2,048 characters, without user name and password. Loopback and private addresses are refused unless the service allows them. Left out: it stays.
             */
            url?: string;
        };
        PullSources: {
            /** @description The pull sources of the company. */
            pull_sources: components["schemas"]["PullSource"][];
        };
        PullSourcesAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["PullSources"];
            /** @description For people. It may change. */
            message: string;
        };
        PullSourceTest: {
            /** @description Rows that were checked as a run checks them. */
            checked: number;
            /** @description Entries of the first page. */
            entries: number;
            /** @description Checked rows that a run would refuse. */
            error_count: number;
            /** @description Why the first page could not be read. Null if it was. */
            failure: components["schemas"]["PullFailure"] | null;
            /** @description The fields of its first 100 entries, at most 100. */
            fields: components["schemas"]["PullSourceTestField"][];
            /** @description True if a page follows. */
            has_more_pages: boolean;
            /** @description The first reasons, each once. */
            reasons: string[];
            /** @description The checked rows that a run would refuse. */
            rejected: components["schemas"]["PullSourceTestRejected"][];
        };
        PullSourceTestAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["PullSourceTest"];
            /** @description For people. It may change. */
            message: string;
        };
        PullSourceTestField: {
            /** @description The matching field of a bulk entry, by the mapping or by its name. Null: none. */
            field: string | null;
            /** @description True if the value may be personal and is not shown. */
            is_masked: boolean;
            /** @description Name of the field. Dots separate the names of nested objects. */
            name: string;
            /** @description A value. Null if there is none or it is masked. */
            sample: string | null;
        };
        PullSourceTestRejected: {
            /** @description The identifier that the PMS gave the unit. */
            crm_unit_id: string;
            /** @description For people. It may change. */
            error: string;
            /** @description The refused value. Null if there is none or it may be personal. */
            sample: string | null;
        };
        Readiness: {
            /** @description The stores, by name. */
            dependencies: {
                [key: string]: components["schemas"]["ReadinessDependency"];
            };
            /** @description How far the read models are behind the log. */
            projection: components["schemas"]["ReadinessProjection"];
            /**
             * @description `ok`, or `unavailable`.
             * @enum {string}
             */
            status: "ok" | "unavailable";
        };
        ReadinessAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["Readiness"];
            /** @description For people. It may change. */
            message: string;
        };
        ReadinessDependency: {
            /** @description What is wrong. Left out if nothing is. */
            detail?: string;
            /**
             * @description `ok`, or `unavailable`.
             * @enum {string}
             */
            status: "ok" | "unavailable";
        };
        ReadinessProjection: {
            /** @description What is wrong. Left out if nothing is. */
            detail?: string;
            /** @description Events behind. Null if it is not known. */
            lag: number | null;
            /**
             * @description `ok`, or `unavailable`.
             * @enum {string}
             */
            status: "ok" | "unavailable";
        };
        RebuildViewsAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["RebuildViewsData"];
            /** @description For people. It may change. */
            message: string;
        };
        RebuildViewsData: {
            /**
             * Format: date-time
             * @description Instant of the end. Null before it.
             */
            finished_at: string | null;
            /**
             * Format: date-time
             * @description Instant of the request. Null if there was none.
             */
            requested_at: string | null;
            /** @description Estimate of the seconds left. Null if there is none. */
            seconds_left: number | null;
            /** @description Share of the work that is done, 0 to 1. */
            share_done: number;
            /**
             * Format: date-time
             * @description Instant of the start. Null before it.
             */
            started_at: string | null;
            /**
             * @description `none` if no rebuild was ever requested.
             * @enum {string}
             */
            state: "none" | "waiting" | "running" | "done" | "failed";
        };
        RecentChange: {
            /** @description The caller that caused it. */
            actor: components["schemas"]["Actor"];
            /** @description Identifier of the command that wrote it. */
            command_id: string;
            /** @description The fields of the event, by its type. `AccessOverridden`: `override`, `reason`, `expires_at`. `AccessOverrideCleared`: `cause`. `EntryPointActivityReported`: `log_id`, `location_id`, `tenant_id`, `event`, `result`, `failure_code`, `occurred_at`, `recorded_at`, `battery_percent`, `entry_point_id`. `EntryPointAdded`: `entry_point_id`, `name`, `kind`, `zone_ids`, `in_service`, `at`. `EntryPointChanged`: `entry_point_id`, `name`, `zone_ids`, `in_service`, `at`. `LocationOpened`: `location_id`, `pms_location_code`, `name`, `policy`. `LocationPolicyChanged`: `policy`. `LocationRenamed`: `name`. `LockActivityReported`: `log_id`, `location_id`, `tenant_id`, `event`, `result`, `failure_code`, `occurred_at`, `recorded_at`, `battery_percent`, `lock_id`, `unit_id`. `LockAdded`: `lock_id`, `name`, `serial`. `LockAttached`: `lock_id`, `unit_id`, `at`. `LockDetached`: `lock_id`, `unit_id`, `at`. `TenantDetailsChanged`: `location_id`, `fields`. `TenantErased`: `location_id`. `TenantMovedIn`: `tenancy_id`, `tenant_id`, `pms_tenant_id`, `ledger_id`, `move_in_date`, `replaced_tenant_id`. `TenantMovedOut`: `tenancy_id`, `tenant_id`. `TenantSessionsEnded`: `location_id`. `UnitFactsChanged`: the facts that changed. `UnitRegistered`: `location_id`, `unit_id`, `crm_unit_id`, `unit_name`, `source_type`. `UnitRenamed`: `unit_name`. `UnitRetired`: none. `UnitRevived`: none. `UnitShareEnded`: `tenant_id`, `cause`. `UnitShared`: `tenant_id`. `UnitUnzoned`: `zone_id`, `unit_id`, `at`. `UnitZoned`: `zone_id`, `unit_id`, `at`. `ZoneAdded`: `zone_id`, `name`. */
            data: {
                [key: string]: unknown;
            };
            /** @description The tenant's units that an opening led to, if none of them was open at that instant. Left out: none. */
            denied_units?: components["schemas"]["DeniedThen"][];
            /** @description Position of the event. Use it as `after`. */
            id: string;
            /**
             * Format: date-time
             * @description Instant at which it happened.
             */
            occurred_at: string;
            /** @description The `X-Request-Id` of the request that wrote it. */
            request_id: string;
            /** @description Number of the event in its stream, from 0. */
            revision: number;
            /** @description What the event is about. */
            subject: components["schemas"]["RecentChangeSubject"];
            /** @description Type of the event. */
            type: components["schemas"]["EventType"];
        };
        RecentChanges: {
            /** @description The events of this page. */
            events: components["schemas"]["RecentChange"][];
            /** @description Cursor of the next page. Null on the last page. A page may be short, even empty, and not the last. */
            next_cursor: string | null;
            /**
             * Format: date-time
             * @description Instant from which on events are listed.
             */
            since: string;
        };
        RecentChangesAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["RecentChanges"];
            /** @description For people. It may change. */
            message: string;
        };
        RecentChangeSubject: {
            /** @description The identifier that the PMS gave the unit. */
            crm_unit_id?: string;
            /** @description The service's identifier of the gate, door or elevator. */
            entry_point_id?: string;
            /**
             * @description What it is. The identifiers beside it name it.
             * @enum {string}
             */
            kind: "unit" | "location" | "tenant" | "lock" | "entry_point";
            /** @description The service's identifier of the location. */
            location_id?: string;
            /** @description The service's identifier of the lock. */
            lock_id?: string;
            /** @description The service's identifier of the tenant's account at one location. */
            tenant_id?: string;
            /** @description The service's identifier of the unit: 26 characters, never reused. */
            unit_id?: string;
        };
        RecoveryCodes: {
            /** @description Ten codes, each good for one sign-in. They are shown only here. */
            recovery_codes: string[];
        };
        RecoveryCodesAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["RecoveryCodes"];
            /** @description For people. It may change. */
            message: string;
        };
        RefusedLogEntries: {
            /** @description For programs. Stable: match this, never `message`. */
            code: components["schemas"]["ErrorCode"];
            /** @description Why each report was refused. */
            data: components["schemas"]["RefusedOutcomes"];
            /** @description The same faults, one a field, each with a code for programs. Only with `validation_failed`. */
            details?: components["schemas"]["FieldFault"][];
            /** @description Messages by the dotted path of the field. Only with `validation_failed`. */
            errors?: {
                [key: string]: string[];
            };
            /** @description For people: what to do about it. Not always there. */
            hint?: string;
            /** @description For people. */
            message: string;
        };
        RefusedLogEntry: {
            /** @description Why the report was refused. */
            error: components["schemas"]["Error"];
        };
        RefusedOutcomes: {
            /** @description One error for each report, in the order of the request. */
            entries: components["schemas"]["RefusedLogEntry"][];
        };
        RejectedBulk: {
            /**
             * Format: date-time
             * @description Instant of the bulk.
             */
            at: string;
            /** @description How many of them were rejected. */
            error_count: number;
            /** @description The first 5 reasons, each once. Besides identifiers of units they have no values of rows. */
            reasons: components["schemas"]["RejectedBulkReason"][];
            /** @description True: the bulk was refused with 422, and nothing of it was written. */
            refused: boolean;
            /** @description How many rows it had. */
            total: number;
        };
        RejectedBulkReason: {
            /** @description The code of the error, or of the fault of the field. */
            code: string;
            /** @description The first 3 units. A row without a valid identifier is left out. */
            crm_unit_ids: string[];
            /** @description The field at fault. Null if no known field is. */
            field: string | null;
            /** @description The reason in words. */
            message: string;
            /** @description How many rows have it. */
            rows: number;
        };
        SandboxClock: {
            /** @description Seconds by which the sandbox is ahead of the world. */
            ahead_seconds: number;
            /**
             * Format: date-time
             * @description The sandbox's time.
             */
            now: string;
        };
        SandboxMessages: {
            /** @description The last 20 text messages, newest first. */
            messages: components["schemas"]["SandboxMessagesMessage"][];
            /** @description The beginning of the phone numbers that sign in to this sandbox. */
            test_numbers: string;
        };
        SandboxMessagesAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["SandboxMessages"];
            /** @description For people. It may change. */
            message: string;
        };
        SandboxMessagesMessage: {
            /** @description The text. */
            body: string;
            /**
             * Format: date-time
             * @description Instant of sending.
             */
            sent_at: string;
            /** @description The phone number. */
            to: string;
        };
        SecondFactor: {
            /** @description Recovery codes that were not used yet. */
            recovery_codes_left: number;
            /** @description True if every operator must set one. */
            required: boolean;
            /** @description True if a second factor is set. */
            set: boolean;
        };
        SecondFactorAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["SecondFactor"];
            /** @description For people. It may change. */
            message: string;
        };
        SecondFactorRemovalBody: {
            /** @description Six digits of the authenticator, or a recovery code. */
            code: string;
            /** @description The present password. */
            current: string;
        };
        SecondFactorSetup: {
            /**
             * Format: date-time
             * @description Instant after which `setup` is refused.
             */
            expires_at: string;
            /** @description The secret for the authenticator, base32. It is shown only here. */
            secret: string;
            /** @description Send it back with the first code. */
            setup: string;
            /** @description The same as an `otpauth:` address, for a QR code. */
            uri: string;
        };
        SecondFactorSetupAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["SecondFactorSetup"];
            /** @description For people. It may change. */
            message: string;
        };
        SecondFactorSetupBody: {
            /** @description Six digits of the authenticator. */
            code: string;
            /** @description The `setup` of the answer that began it. */
            setup: string;
        };
        SetUpLocation: {
            /** @description True: a unit that does not exist is made as a standalone unit, with the text of its row as identifier. A PMS cannot write to it. */
            add_units?: boolean;
            /** @description The same as text. Its first line names the columns `unit`, `zone`, `lock` and `serial`, in any order. At most 256,000 characters. Left out: `rows` has them. */
            csv?: string;
            /** @description The rows. Left out: `csv` has them. */
            rows?: components["schemas"]["SetupRowBody"][];
        };
        SetupRowBody: {
            /** @description Name of the lock that the unit shall have. It is made if there is none. Left out: the serial number. */
            lock?: string;
            /** @description The maker's serial number: it says which lock it is. Left out: the name does. */
            serial?: string;
            /** @description Name of a unit of the location, or its `crm_unit_id`. A name that several units have is refused. */
            unit: string;
            /** @description Name of the zone that the unit shall be in. It is made if there is none. Left out: no zone. */
            zone?: string;
        };
        SignInAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["SignInData"];
            /** @description For people. It may change. */
            message: string;
        };
        SignInData: {
            /**
             * Format: date-time
             * @description Instant at which the session ends at the latest.
             */
            expires_at: string;
            /** @description Send it as `Authorization: Bearer`. It is shown only here. */
            token: string;
        };
        SkippedEntry: {
            /** @description The identifier that the PMS gave the unit. */
            crm_unit_id: string;
            /**
             * Format: date-time
             * @description Instant of the newer write.
             */
            written_at: string;
        };
        /** @enum {string} */
        SourceType: "push" | "pull" | "standalone";
        TenantAccess: {
            /** @description Gates, doors and elevators to these units. */
            entry_points: components["schemas"]["TenantAccessEntryPoint"][];
            /**
             * Format: date-time
             * @description Instant of the decisions.
             */
            evaluated_at: string;
            /**
             * Format: date-time
             * @description Instant at which the app should ask again: a decision or a key ends. Null if none does.
             */
            refresh_at: string | null;
            /** @description The tenant who asks. */
            tenant: components["schemas"]["TenantAccessTenant"];
            /** @description The units that the tenant rents or shares, denied ones too. */
            units: components["schemas"]["TenantAccessUnit"][];
            /**
             * Format: date-time
             * @description The next instant at which one of the decisions changes. Null if there is none.
             */
            valid_until: string | null;
        };
        TenantAccessAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["TenantAccess"];
            /** @description For people. It may change. */
            message: string;
        };
        TenantAccessEntryPoint: {
            /** @description The service's identifier of the gate, door or elevator. */
            entry_point_id: string;
            /** @description The key to send to the lock, opaque. Left out if access is denied. */
            key?: string;
            /**
             * Format: date-time
             * @description Instant after which the lock refuses the key. Left out if access is denied.
             */
            key_expires_at?: string;
            /**
             * @description `gate`, `door` or `elevator`. It never changes.
             * @enum {string}
             */
            kind: "gate" | "door" | "elevator";
            /** @description The service's identifier of the location. */
            location_id: string;
            /** @description The name that people read. */
            name: string;
            /**
             * @description `permitted` if one unit in its zones is permitted and it is in service.
             * @enum {string}
             */
            state: "permitted" | "denied";
            /** @description True if it is in service: then the units alone decide. */
            would_have_access: boolean;
            /** @description The zones that it opens to, by their `zone_id`. */
            zones: string[];
        };
        TenantAccessTenant: {
            /** @description The service's identifier of the tenant's account at one location. */
            id: string;
            /** @description The name that people read. */
            name: string;
        };
        TenantAccessUnit: {
            /**
             * Format: date-time
             * @description Instant of the last successful unlock. It never moves back. Null if there is none.
             */
            last_accessed_at: string | null;
            /** @description The location of the unit. */
            location: components["schemas"]["TenantAccessUnitLocation"];
            /** @description The locks of the unit. A unit may have none, or several. */
            locks: components["schemas"]["TenantAccessUnitLock"][];
            /** @description Why. Null for the states `auction`, `unrentable` and `vacant`. */
            reason: components["schemas"]["AccessReason"] | null;
            /**
             * @description `primary` for the tenant of the unit, `shared` for a share.
             * @enum {string}
             */
            relationship: "primary" | "shared";
            /** @description The decision in one word. Only `tenant_permitted` opens. */
            state: components["schemas"]["AccessState"];
            /** @description The service's identifier of the unit: 26 characters, never reused. */
            unit_id: string;
            /** @description The name that people read. An operator may change it. */
            unit_name: string;
        };
        TenantAccessUnitLocation: {
            /** @description The service's identifier of the location. */
            id: string;
            /** @description The name that people read. */
            name: string;
            /** @description IANA time zone. Days begin and end in it. Default `UTC`. */
            timezone: string;
        };
        TenantAccessUnitLock: {
            /** @description The key to send to the lock, opaque. Left out if access is denied. */
            key?: string;
            /**
             * Format: date-time
             * @description Instant after which the lock refuses the key. Left out if access is denied.
             */
            key_expires_at?: string;
            /** @description The service's identifier of the lock. */
            lock_id: string;
            /** @description The name that people read. */
            name: string;
        };
        TenantAccount: {
            /** @description Name of the company. */
            company: string;
            /** @description Name of the location. */
            location: string;
            /** @description The name that people read. */
            name: string;
            /** @description The service's identifier of the tenant's account at one location. */
            tenant_id: string;
        };
        TenantBody: {
            /**
             * Format: email
             * @description E-mail address, at most 254 characters. Left out: it stays. Null: it is cleared.
             */
            email?: string | null;
            /** @description First name. Text of 1 to 255 characters, none of them invisible. */
            first_name: string;
            /** @description Last name. Text of 1 to 255 characters, none of them invisible. */
            last_name: string;
            /** @description International format with a leading +: the tenant signs in with it. Left out: it stays. Null: it is cleared. A change ends the sessions of the tenant. */
            phone?: string | null;
            /** @description The PMS's identifier of the tenant. It belongs to the location: the same value elsewhere is another account. */
            pms_tenant_id: string;
        };
        TenantChange: {
            /**
             * Format: email
             * @description E-mail address, at most 254 characters. Left out: it stays. Null: it is cleared.
             */
            email?: string | null;
            /** @description Full name. Text of 1 to 255 characters, none of them invisible. Left out: it stays. */
            name?: string;
            /** @description International format. Left out: it stays. Null: it is cleared. A change ends the sessions of the tenant. */
            phone?: string | null;
            /** @description It cannot be changed: another value than the own one is refused. */
            pms_tenant_id?: string;
        };
        TenantSession: {
            /**
             * Format: date-time
             * @description Instant at which the session ends.
             */
            expires_at: string;
            /** @description Send it as `Authorization: Bearer`. It is shown only here. */
            token: string;
            /** @description The tenant who signed in. */
            user: components["schemas"]["TenantUser"];
        };
        TenantSummary: {
            /** @description E-mail address. Null if it is not known or was erased. */
            email: string | null;
            /** @description Full name. Null if it is not known or was erased. */
            name: string | null;
            /** @description International format with a leading +. Null if it is not known or was erased. */
            phone: string | null;
            /** @description The identifier that the PMS gave the tenant. It names one account per location, so the same value at two locations is two accounts. */
            pms_tenant_id: string;
            /** @description The service's identifier of the tenant's account at one location. */
            tenant_id: string;
        };
        TenantUser: {
            /** @description E-mail address. Null if it is not known or was erased. */
            email: string | null;
            /** @description The service's identifier of the tenant's account at one location. */
            id: string;
            /** @description The name that people read. */
            name: string;
            /** @description International format with a leading +. */
            phone: string;
        };
        TenantWritten: {
            /** @description The service's identifier of the tenant's account at one location. */
            tenant_id: string;
        };
        TenantWrittenAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["TenantWritten"];
            /** @description For people. It may change. */
            message: string;
        };
        Today: {
            /**
             * Format: date-time
             * @description The instant that the answer describes.
             */
            at: string;
            /** @description What happened in the last 24 hours. */
            changes: components["schemas"]["TodayChange"];
            /** @description Denied units, by reason. */
            denied: components["schemas"]["TodayDenied"][];
            /** @description Openings in the last 24 hours by tenants whose units were denied at that instant, among the newest 500 reports since `changes.since`. */
            denied_openings: components["schemas"]["TodayDeniedOpening"];
            /** @description The newest failure of each lock and entry point that was reported in the last 24 hours. A correct refusal is no failure. */
            failures: components["schemas"]["TodayFailure"];
            /** @description Units in auction. At most 500 that nobody rents are counted at each location. */
            in_auction: components["schemas"]["TodayInAuction"];
            /** @description Units that are denied for a debt or a lockout, without those of `future_move_in`. */
            locked_out: components["schemas"]["TodayLockedOut"];
            /** @description Units that lose access in the coming days. */
            losing_access: components["schemas"]["TodayLosingAccess"];
            /** @description Units that lost access on each of the last days. Units that were locked out from their move-in are left out. It is counted anew each 15 minutes. */
            lost_access: components["schemas"]["TodayLostAccess"];
            /** @description Locks on units and entry points whose last reported charge is below 20 %. */
            low_batteries: components["schemas"]["TodayLowBattery"];
            /** @description For each valid token: its last bulk of the last 24 hours with rejected rows, or refused as a whole. */
            rejected_bulks: components["schemas"]["TodayRejectedBulk"][];
            /** @description Tokens that used to write and stopped. */
            silent_tokens: components["schemas"]["TodaySilentToken"][];
            /** @description Pull sources that are late, failed or refused rows. */
            troubled_pull_sources: components["schemas"]["TodayTroubledPullSource"][];
        };
        TodayAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["Today"];
            /** @description For people. It may change. */
            message: string;
        };
        TodayChange: {
            /** @description Counts by type of event. */
            by_type: components["schemas"]["TodayChangeByType"][];
            /**
             * Format: date-time
             * @description Instant from which on events are counted.
             */
            since: string;
        };
        TodayChangeByType: {
            /** @description How many events. */
            events: number;
            /** @description Type of the event. */
            type: components["schemas"]["EventType"];
        };
        TodayDenied: {
            /** @description Why access is denied. */
            reason: components["schemas"]["AccessReason"];
            /** @description How many units. */
            units: number;
        };
        TodayDeniedOpening: {
            /** @description The newest of them. */
            first: components["schemas"]["DeniedOpening"][];
            /** @description How many. */
            openings: number;
        };
        TodayFailure: {
            /** @description How many locks and entry points. */
            failed: number;
            /** @description The newest of them. */
            first: components["schemas"]["Failure"][];
        };
        TodayInAuction: {
            /** @description Those that are rented, the most owed first. */
            first: components["schemas"]["AuctionUnit"][];
            /** @description How many units. */
            units: number;
        };
        TodayLockedOut: {
            /** @description The first of them, the most owed first. */
            first: components["schemas"]["LockedOutUnit"][];
            /** @description `skip` for the units that follow these. Null at the end. */
            next_skip: number | null;
            /** @description What they owe together, at most 2 decimals. */
            owed: number;
            /** @description How many tenants. */
            tenants: number;
            /** @description How many units. */
            units: number;
        };
        TodayLosingAccess: {
            /** @description The days on which a unit does. */
            dates: components["schemas"]["TodayLosingAccessDate"][];
            /** @description How many days, from today. */
            days: number;
            /** @description The locations where a unit does. */
            locations: components["schemas"]["TodayLosingAccessLocation"][];
        };
        TodayLosingAccessDate: {
            /**
             * Format: date
             * @description Local date at the location.
             */
            date: string;
            /** @description How many units. */
            units: number;
        };
        TodayLosingAccessLocation: {
            /** @description The service's identifier of the location. */
            location_id: string;
            /** @description The name that people read. */
            name: string;
            /** @description How many units. */
            units: number;
        };
        TodayLostAccess: {
            /**
             * Format: date-time
             * @description Instant up to which all locations are counted. Null before the first count.
             */
            counted_at: string | null;
            /** @description The days on which a unit did, today among them. */
            dates: components["schemas"]["TodayLostAccessDate"][];
            /** @description How many days before today. */
            days: number;
        };
        TodayLostAccessDate: {
            /**
             * Format: date
             * @description Local date at the location.
             */
            date: string;
            /** @description How many units. */
            units: number;
        };
        TodayLowBattery: {
            /** @description How many. */
            batteries: number;
            /** @description The first of them, the lowest first. */
            first: components["schemas"]["LowBattery"][];
        };
        TodayRejectedBulk: {
            /**
             * Format: date-time
             * @description Instant of the bulk.
             */
            at: string;
            /** @description How many of them were rejected. */
            error_count: number;
            /** @description The name that people read. */
            name: string;
            /** @description The first 5 reasons, each once. Besides identifiers of units they have no values of rows. */
            reasons: components["schemas"]["TodayRejectedBulkReason"][];
            /** @description True: the bulk was refused with 422, and nothing of it was written. */
            refused: boolean;
            /** @description The service's identifier of the API token. */
            token_id: string;
            /** @description How many rows it had. */
            total: number;
        };
        TodayRejectedBulkReason: {
            /** @description The code of the error, or of the fault of the field. */
            code: string;
            /** @description The first 3 units. A row without a valid identifier is left out. */
            crm_unit_ids: string[];
            /** @description The field at fault. Null if no known field is. */
            field: string | null;
            /** @description The reason in words. */
            message: string;
            /** @description How many rows have it. */
            rows: number;
        };
        TodaySilentToken: {
            /**
             * Format: date-time
             * @description Instant of the last use.
             */
            last_used_at: string;
            /** @description The name that people read. */
            name: string;
            /** @description The service's identifier of the API token. */
            token_id: string;
        };
        TodayTroubledPullSource: {
            /**
             * Format: date-time
             * @description End of the last run that has ended. Null if there is none.
             */
            last_run_at: string | null;
            /** @description Rows that this run refused. */
            last_run_errors: number;
            /** @description True if this run failed. */
            last_run_failed: boolean;
            /** @description Rows that this run read. */
            last_run_total: number;
            /** @description True if a run is overdue. */
            late: boolean;
            /** @description The name that people read. */
            name: string;
            /** @description The service's identifier of the pull source. */
            pull_source_id: string;
            /** @description Why this run failed, and the first reasons for refused rows. */
            reasons: string[];
        };
        TokenCompany: {
            /** @description The sandbox's clock. Null for a company that is not a sandbox. */
            clock: components["schemas"]["SandboxClock"] | null;
            /** @description The service's identifier of the company. */
            company_id: string;
            /** @description What the token may ask for. */
            limits: components["schemas"]["TokenCompanyLimit"];
            /** @description All locations of the company. */
            locations: components["schemas"]["LocationWithPolicy"][];
            /** @description The name that people read. */
            name: string;
            /** @description True if the company is for trying things out: a clock of its own, no real SMS, keys that open nothing. */
            sandbox: boolean;
            /** @description The token that asks. */
            token: components["schemas"]["TokenCompanyToken"];
        };
        TokenCompanyAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["TokenCompany"];
            /** @description For people. It may change. */
            message: string;
        };
        TokenCompanyLimit: {
            /** @description The request limits, each counted for the company. */
            requests: components["schemas"]["TokenCompanyLimitRequest"][];
            /** @description Most entries of one bulk. */
            units_per_bulk: number;
        };
        TokenCompanyLimitRequest: {
            /** @description Most requests in a window. */
            limit: number;
            /** @description Name of the limit, as in `RateLimit-Policy`. */
            policy: string;
            /** @description Length of the window in seconds. */
            window_seconds: number;
        };
        TokenCompanyToken: {
            /**
             * Format: date-time
             * @description Instant of creation.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Instant at which it ends. Null if it never does.
             */
            expires_at: string | null;
            /** @description The name that people read. */
            name: string;
            /**
             * @description `write`, or `read` for a token that may only read.
             * @enum {string}
             */
            scope: "write" | "read";
            /** @description The service's identifier of the API token. */
            token_id: string;
        };
        Unit: {
            /** @description The decision about the unit. */
            access: components["schemas"]["Access"];
            /** @description The identifier that the PMS gave the unit. */
            crm_unit_id: string;
            /** @description What the PMS says of the unit. */
            facts: components["schemas"]["Facts"];
            /**
             * Format: date-time
             * @description Instant of the last successful unlock. It never moves back. Null if there is none.
             */
            last_accessed_at: string | null;
            /** @description The location of the unit. */
            location: components["schemas"]["UnitLocation"];
            /** @description Number of the latest event in the stream, from 0. It grows with every event. */
            revision: number;
            /** @description The side that writes the unit: `push`, `pull`, or `standalone` for operators. */
            source_type: components["schemas"]["SourceType"];
            /** @description The service's identifier of the unit: 26 characters, never reused. */
            unit_id: string;
            /** @description The name that people read. An operator may change it. */
            unit_name: string;
        };
        UnitAsOf: {
            /** @description The decision about the unit. */
            access: components["schemas"]["ExplainedAccess"];
            /**
             * Format: date-time
             * @description The instant that the answer describes.
             */
            at: string;
            /** @description The identifier that the PMS gave the unit. */
            crm_unit_id: string;
            /** @description What the PMS says of the unit. */
            facts: components["schemas"]["Facts"];
            /**
             * Format: date-time
             * @description Instant of the last successful unlock. It never moves back. Null if there is none.
             */
            last_accessed_at: string | null;
            /** @description The location of the unit. */
            location: components["schemas"]["UnitLocation"];
            /** @description The location's settings at that instant. */
            policy: components["schemas"]["Policy"];
            /** @description Number of the latest event in the stream, from 0. It grows with every event. */
            revision: number;
            /** @description The side that writes the unit: `push`, `pull`, or `standalone` for operators. */
            source_type: components["schemas"]["SourceType"];
            /** @description The service's identifier of the unit: 26 characters, never reused. */
            unit_id: string;
            /** @description The name that people read. An operator may change it. */
            unit_name: string;
        };
        UnitAsOfAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["UnitAsOf"];
            /** @description For people. It may change. */
            message: string;
        };
        UnitDifference: {
            /** @description The identifier that the PMS gave the unit. */
            crm_unit_id: string;
            /** @description The fields that differ. */
            fields: components["schemas"]["FieldDifference"][];
            /** @description The service's identifier of the unit: 26 characters, never reused. */
            unit_id: string;
        };
        UnitLocation: {
            /** @description The service's identifier of the location. */
            id: string;
            /** @description The name that people read. */
            name: string;
            /** @description The code by which the PMS names the location. Unique within the company. */
            pms_location_code: string;
            /** @description IANA time zone. Days begin and end in it. Default `UTC`. */
            timezone: string;
        };
        UnitNameBody: {
            /** @description The new name. Text of 1 to 255 characters, none of them invisible. */
            unit_name: string;
        };
        UnitPage: {
            /** @description Cursor of the next page. Null on the last page. A page may be short, even empty, and not the last. */
            next_cursor: string | null;
            /** @description The units of this page. */
            units: components["schemas"]["Unit"][];
        };
        UnitPageAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["UnitPage"];
            /** @description For people. It may change. */
            message: string;
        };
        UnitWritten: {
            /** @description The decision as it would be. Present only for a dry run. */
            access?: components["schemas"]["ExplainedAccess"];
            /**
             * Format: date-time
             * @description Instant at which the write took effect.
             */
            applied_at: string;
            /** @description True if nothing was written. Present only for a dry run. */
            dry_run?: boolean;
            /** @description The service's identifier of the unit. Null if a dry run would create it. */
            unit_id: string | null;
            /** @description Present only if there are any. The write was done. */
            warnings?: components["schemas"]["Warning"][];
        };
        UnitWrittenAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["UnitWritten"];
            /** @description For people. It may change. */
            message: string;
        };
        Warning: {
            /** @description `tenant_replaced`: Another tenant rented the unit; that tenancy has ended. If that is wrong, move the former tenant in again. `balance_carried_over`: Another tenant moved in on a unit that owes a balance. The balance stays: send balance_due if it is not the new tenant’s. `exemption_carried_over`: Another tenant moved in on a unit that is exempt from lockout. The exemption stays: send pms_lock_exempt false if it is not the new tenant’s. `lockout_carried_over`: Another tenant moved in on a unit that is locked out. The lockout stays: send pms_lockout false if it is not the new tenant’s. `unrentable_cleared`: The reset put pms_unrentable to false. Send it again if the unit is still not for rent. `auction_cleared`: The reset took a vacant unit out of auction. Send pms_auction again if it still holds. `lockout_cleared`: The reset of a vacant unit cleared pms_lockout. Send it again if it still holds. `personal_data_suppressed`: The tenant’s personal details were erased and stay so; the given ones were not recorded. The operator can record them again. `location_ignored`: The unit exists and keeps its location; the given one was ignored. `unit_revived`: An operator had retired the unit as made by mistake. This write has revived it. `unit_name_ignored`: The unit exists and keeps its name; the given one was ignored. The operator can rename it. `lockout_suppressed_by_exemption`: The lockout has no effect while the unit is exempt. Set pms_lock_exempt to false, or have the operator end the exemption, for it to count. `balance_without_date`: The balance is never past due without a paid_through_date. Send paid_through_date for the grace period to count from it. `vacant_unit_owes`: Nobody rents the unit that owes this balance. Move the tenant in, or send balance_due 0. `auction_while_exempt`: The unit is in auction, which denies access in spite of its exemption. Set pms_auction to false to permit access. */
            code: components["schemas"]["WarningCode"];
            /** @description Only with `tenant_replaced`: who rented the unit before. */
            former_pms_tenant_id?: string;
            /** @description For people. It may change: match `code`. */
            message: string;
        };
        /** @enum {string} */
        WarningCode: "tenant_replaced" | "balance_carried_over" | "exemption_carried_over" | "lockout_carried_over" | "unrentable_cleared" | "auction_cleared" | "lockout_cleared" | "personal_data_suppressed" | "location_ignored" | "unit_revived" | "unit_name_ignored" | "lockout_suppressed_by_exemption" | "balance_without_date" | "vacant_unit_owes" | "auction_while_exempt";
        Zone: {
            /** @description The service's identifier of the location. */
            location_id: string;
            /** @description The name that people read. */
            name: string;
            /** @description The service's identifier of the zone. */
            zone_id: string;
        };
        ZoneAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["Zone"];
            /** @description For people. It may change. */
            message: string;
        };
        ZonedUnit: {
            /** @description The service's identifier of the unit: 26 characters, never reused. */
            unit_id: string;
            /** @description The service's identifier of the zone. */
            zone_id: string;
        };
        ZonedUnitAnswer: {
            /** @description The answer itself. */
            data: components["schemas"]["ZonedUnit"];
            /** @description For people. It may change. */
            message: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;

/** Writes that take an `Idempotency-Key`. */
export const KEYED_WRITES: ReadonlySet<string> = new Set([
    "DELETE /api/v2/units/{crm_unit_id}/tenancy",
    "PATCH /api/v2/units",
    "PATCH /api/v2/units/{crm_unit_id}",
    "POST /api/operator/companies",
    "POST /api/operator/companies/{company_id}/api-tokens",
    "POST /api/operator/companies/{company_id}/clock",
    "POST /api/operator/companies/{company_id}/locations",
    "POST /api/operator/companies/{company_id}/pull-sources",
    "POST /api/operator/locations/{location_id}/entry-points",
    "POST /api/operator/locations/{location_id}/locks",
    "POST /api/operator/locations/{location_id}/policy-backtest",
    "POST /api/operator/locations/{location_id}/setup",
    "POST /api/operator/locations/{location_id}/tenants",
    "POST /api/operator/locations/{location_id}/units",
    "POST /api/operator/locations/{location_id}/zones",
    "POST /api/operator/operators",
    "POST /api/operator/pull-sources/{pull_source_id}/runs",
    "POST /api/operator/pull-sources/{pull_source_id}/test",
    "POST /api/operator/views/rebuild",
    "PUT /api/v2/units/{crm_unit_id}/tenancy",
]);
