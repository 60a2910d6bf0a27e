// Made of the service's own description by `npm run contracts`. Do not edit.

export interface paths {
    "/api/operator/companies": {
        parameters: {
        };
        /** List companies */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                companies: components["schemas"]["Company"][];
                                next_cursor: string | null;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
        /** Register a company */
        post: {
            parameters: {
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "sandbox": false,
                     *       "name": "Park Storage"
                     *     }
                     */
                    "application/json": components["schemas"]["NewCompanyBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Company"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/companies/{company_id}": {
        parameters: {
        };
        /** Read a company with its locations */
        get: {
            parameters: {
                path: {
                    company_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                clock: {
                                    ahead_seconds: number;
                                    /** Format: date-time */
                                    now: string;
                                } | null;
                                company_id: string;
                                /** Format: date-time */
                                created_at: string;
                                locations: components["schemas"]["Location"][];
                                name: string;
                                sandbox: boolean;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/companies/{company_id}/api-tokens": {
        parameters: {
        };
        /** List the API tokens of a company, without their values */
        get: {
            parameters: {
                path: {
                    company_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                api_tokens: components["schemas"]["ApiToken"][];
                            };
                            message: string;
                        };
                    };
                };
            };
        };
        /** Issue an API token */
        post: {
            parameters: {
                path: {
                    company_id: string;
                };
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "scope": "write",
                     *       "expires_at": "2030-01-01T00:00:00Z",
                     *       "name": "PMS, production"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiTokenBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["IssuedApiToken"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/companies/{company_id}/api-tokens/{token_id}": {
        parameters: {
        };
        /** Revoke an API token */
        delete: {
            parameters: {
                path: {
                    company_id: string;
                    token_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/companies/{company_id}/changes": {
        parameters: {
        };
        /** List what happened in the last 24 hours, newest first */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    failed?: boolean;
                    limit?: number;
                    type?: "AccessOverridden" | "AccessOverrideCleared" | "EntryPointActivityReported" | "EntryPointAdded" | "EntryPointChanged" | "LocationOpened" | "LocationPolicyChanged" | "LocationRenamed" | "LockActivityReported" | "LockAdded" | "LockAttached" | "LockDetached" | "TenantDetailsChanged" | "TenantErased" | "TenantMovedIn" | "TenantMovedOut" | "TenantSessionsEnded" | "UnitFactsChanged" | "UnitRegistered" | "UnitRenamed" | "UnitRetired" | "UnitRevived" | "UnitShareEnded" | "UnitShared" | "UnitUnzoned" | "UnitZoned" | "ZoneAdded";
                };
                path: {
                    company_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                events: {
                                    actor: {
                                        id: string;
                                        kind: string;
                                        name: string | null;
                                    };
                                    command_id: string;
                                    data: {
                                        [key: string]: unknown;
                                    };
                                    id: string;
                                    /** Format: date-time */
                                    occurred_at: string;
                                    request_id: string;
                                    revision: number;
                                    subject: {
                                        crm_unit_id?: string;
                                        entry_point_id?: string;
                                        /** @enum {string} */
                                        kind: "unit" | "location" | "tenant" | "lock" | "entry_point";
                                        location_id?: string;
                                        lock_id?: string;
                                        tenant_id?: string;
                                        unit_id?: string;
                                    };
                                    type: string;
                                }[];
                                next_cursor: string | null;
                                /** Format: date-time */
                                since: string;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/companies/{company_id}/clock": {
        parameters: {
        };
        /** Set the clock of a sandbox forward */
        post: {
            parameters: {
                header?: {
                    /** @description Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    company_id: string;
                };
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "advance_seconds": 86400
                     *     }
                     */
                    "application/json": components["schemas"]["ClockAdvanceBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Company"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/companies/{company_id}/locations": {
        parameters: {
        };
        /** Add a location */
        post: {
            parameters: {
                path: {
                    company_id: string;
                };
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "pms_location_code": "MAIN",
                     *       "name": "Main Street",
                     *       "timezone": "America/Chicago",
                     *       "grace_period_days": 5,
                     *       "balance_threshold": 0,
                     *       "blanket_delinquency": false,
                     *       "delinquency_mode": "automatic"
                     *     }
                     */
                    "application/json": components["schemas"]["NewLocationBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Location"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/companies/{company_id}/pull-sources": {
        parameters: {
        };
        /** List the pull sources of a company */
        get: {
            parameters: {
                path: {
                    company_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                pull_sources: components["schemas"]["PullSource"][];
                            };
                            message: string;
                        };
                    };
                };
            };
        };
        /** Add a pull source */
        post: {
            parameters: {
                path: {
                    company_id: string;
                };
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "name": "Units of the PMS",
                     *       "url": "https://pms.example.com/units.json",
                     *       "auth_header": "Bearer a-credential-of-the-pms",
                     *       "interval_seconds": 60,
                     *       "mapping": {
                     *         "unitNumber": "crm_unit_id"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PullSourceBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["PullSource"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/companies/{company_id}/today": {
        parameters: {
        };
        /** Read what changed since yesterday, who is denied and will be, and what is late or silent */
        get: {
            parameters: {
                path: {
                    company_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                /** Format: date-time */
                                at: string;
                                changes: {
                                    by_type: {
                                        events: number;
                                        type: string;
                                    }[];
                                    failed_reports: number;
                                    /** Format: date-time */
                                    since: string;
                                };
                                denied: {
                                    /** @enum {string} */
                                    reason: "active" | "pms_exempt" | "system_exempt" | "delinquent" | "future_move_in" | "blanket_delinquency" | "pms_lockout" | "system_lockout";
                                    units: number;
                                }[];
                                losing_access: {
                                    days: number;
                                    locations: {
                                        location_id: string;
                                        name: string;
                                        units: number;
                                    }[];
                                };
                                silent_tokens: {
                                    /** Format: date-time */
                                    last_used_at: string;
                                    name: string;
                                    token_id: string;
                                }[];
                                troubled_pull_sources: {
                                    last_run_failed: boolean;
                                    late: boolean;
                                    name: string;
                                    pull_source_id: string;
                                }[];
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/entry-points/{entry_point_id}": {
        parameters: {
        };
        /** Change an entry point */
        patch: {
            parameters: {
                path: {
                    entry_point_id: string;
                };
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "name": "Front gate",
                     *       "zone_ids": [
                     *         "01JQ8Z5V7K3M9N2P4R6S8T0W1X"
                     *       ],
                     *       "in_service": false
                     *     }
                     */
                    "application/json": components["schemas"]["EntryPointChangeBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["EntryPoint"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/entry-points/{entry_point_id}/activity": {
        parameters: {
        };
        /** Read what was reported of an entry point, newest first */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                };
                path: {
                    entry_point_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                entries: components["schemas"]["OperatorActivityEntry"][];
                                next_cursor: string | null;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/entry-points/{entry_point_id}/provisioning": {
        parameters: {
        };
        /** Read what an entry point's reader is set up with: a secret */
        get: {
            parameters: {
                path: {
                    entry_point_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                algorithm?: string;
                                entry_point_id: string;
                                format?: number;
                                key?: string;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/locations/{location_id}": {
        parameters: {
        };
        /** Read a location with its policy */
        get: {
            parameters: {
                path: {
                    location_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Location"];
                            message: string;
                        };
                    };
                };
            };
        };
        /** Change a location or its policy; all its units are decided again */
        patch: {
            parameters: {
                path: {
                    location_id: string;
                };
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "name": "Main Street",
                     *       "timezone": "America/Chicago",
                     *       "grace_period_days": 5,
                     *       "balance_threshold": 0,
                     *       "blanket_delinquency": false,
                     *       "delinquency_mode": "automatic"
                     *     }
                     */
                    "application/json": components["schemas"]["LocationChangeBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Location"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/locations/{location_id}/entry-points": {
        parameters: {
        };
        /** List the entry points of a location */
        get: {
            parameters: {
                path: {
                    location_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                entry_points: components["schemas"]["EntryPoint"][];
                            };
                            message: string;
                        };
                    };
                };
            };
        };
        /** Add an entry point */
        post: {
            parameters: {
                path: {
                    location_id: string;
                };
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "name": "Front gate",
                     *       "kind": "gate",
                     *       "zone_ids": [
                     *         "01JQ8Z5V7K3M9N2P4R6S8T0W1X"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["NewEntryPointBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["EntryPoint"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/locations/{location_id}/forecast": {
        parameters: {
        };
        /** Read which units change state on which date, if nothing is written */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    days?: number;
                    limit?: number;
                };
                path: {
                    location_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                changes: {
                                    /** Format: date-time */
                                    at: string;
                                    crm_unit_id: string;
                                    /** Format: date */
                                    date: string;
                                    from: {
                                        /** @enum {string|null} */
                                        reason: "active" | "pms_exempt" | "system_exempt" | "delinquent" | "future_move_in" | "blanket_delinquency" | "pms_lockout" | "system_lockout" | null;
                                        /** @enum {string} */
                                        state: "vacant" | "tenant_permitted" | "tenant_denied" | "auction" | "unrentable";
                                    };
                                    to: {
                                        /** @enum {string|null} */
                                        reason: "active" | "pms_exempt" | "system_exempt" | "delinquent" | "future_move_in" | "blanket_delinquency" | "pms_lockout" | "system_lockout" | null;
                                        /** @enum {string} */
                                        state: "vacant" | "tenant_permitted" | "tenant_denied" | "auction" | "unrentable";
                                    };
                                    unit_id: string;
                                    unit_name: string;
                                }[];
                                dates: {
                                    changes: number;
                                    /** Format: date */
                                    date: string;
                                    denied: number;
                                    permitted: number;
                                }[];
                                /** Format: date-time */
                                from: string;
                                location: {
                                    id: string;
                                    name: string;
                                    pms_location_code: string;
                                    timezone: string;
                                };
                                next_cursor: string | null;
                                /** Format: date-time */
                                until: string;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/locations/{location_id}/locks": {
        parameters: {
        };
        /** List the locks of a location */
        get: {
            parameters: {
                path: {
                    location_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                locks: components["schemas"]["Lock"][];
                            };
                            message: string;
                        };
                    };
                };
            };
        };
        /** Add a lock */
        post: {
            parameters: {
                path: {
                    location_id: string;
                };
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "name": "Door of A-101",
                     *       "serial": "SN-0042"
                     *     }
                     */
                    "application/json": components["schemas"]["NewLockBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Lock"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/locations/{location_id}/policy-backtest": {
        parameters: {
        };
        /** Try out another policy on what happened */
        post: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                };
                path: {
                    location_id: string;
                };
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "policy": {
                     *         "timezone": "America/Chicago",
                     *         "grace_period_days": 5,
                     *         "balance_threshold": 0,
                     *         "blanket_delinquency": false,
                     *         "delinquency_mode": "automatic"
                     *       },
                     *       "days": 30
                     *     }
                     */
                    "application/json": components["schemas"]["BacktestBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                changes: {
                                    actual: {
                                        /** @enum {string|null} */
                                        reason: "active" | "pms_exempt" | "system_exempt" | "delinquent" | "future_move_in" | "blanket_delinquency" | "pms_lockout" | "system_lockout" | null;
                                        /** @enum {string} */
                                        state: "vacant" | "tenant_permitted" | "tenant_denied" | "auction" | "unrentable";
                                    };
                                    crm_unit_id: string;
                                    /** @enum {string} */
                                    effect: "denied" | "spared";
                                    /** Format: date-time */
                                    from: string;
                                    proposed: {
                                        /** @enum {string|null} */
                                        reason: "active" | "pms_exempt" | "system_exempt" | "delinquent" | "future_move_in" | "blanket_delinquency" | "pms_lockout" | "system_lockout" | null;
                                        /** @enum {string} */
                                        state: "vacant" | "tenant_permitted" | "tenant_denied" | "auction" | "unrentable";
                                    };
                                    tenant_id: string | null;
                                    unit_id: string;
                                    unit_name: string;
                                    /** Format: date-time */
                                    until: string | null;
                                }[];
                                /** Format: date-time */
                                from: string;
                                next_cursor: string | null;
                                not_tried: {
                                    crm_unit_id: string;
                                    unit_id: string;
                                    unit_name: string;
                                }[];
                                policy: {
                                    /** @description Decimal, at most 2 places. */
                                    balance_threshold: number;
                                    blanket_delinquency: boolean;
                                    /** @enum {string} */
                                    delinquency_mode: "automatic" | "pms_flag_only";
                                    grace_period_days: number;
                                    timezone: string;
                                };
                                tenants_denied: {
                                    actual: number;
                                    proposed: number;
                                };
                                units: number;
                                /** Format: date-time */
                                until: string;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/locations/{location_id}/tenants": {
        parameters: {
        };
        /** Create a tenant account */
        post: {
            parameters: {
                path: {
                    location_id: string;
                };
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "pms_tenant_id": "T-1001",
                     *       "name": "Ada Park",
                     *       "email": "ada.park@example.com",
                     *       "phone": "+15551234567"
                     *     }
                     */
                    "application/json": components["schemas"]["NewTenant"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                tenant_id: string;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/locations/{location_id}/units": {
        parameters: {
        };
        /** Create a standalone unit */
        post: {
            parameters: {
                path: {
                    location_id: string;
                };
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "crm_unit_id": "A-101",
                     *       "unit_name": "A-101"
                     *     }
                     */
                    "application/json": components["schemas"]["NewUnitBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["UnitWritten"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/locations/{location_id}/zones": {
        parameters: {
        };
        /** List the zones of a location */
        get: {
            parameters: {
                path: {
                    location_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                zones: components["schemas"]["Zone"][];
                            };
                            message: string;
                        };
                    };
                };
            };
        };
        /** Add a zone */
        post: {
            parameters: {
                path: {
                    location_id: string;
                };
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "name": "Hall 1"
                     *     }
                     */
                    "application/json": components["schemas"]["NameBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Zone"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/locks/{lock_id}/activity": {
        parameters: {
        };
        /** Read what was reported of a lock, newest first */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                };
                path: {
                    lock_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                entries: components["schemas"]["OperatorActivityEntry"][];
                                next_cursor: string | null;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/locks/{lock_id}/provisioning": {
        parameters: {
        };
        /** Read what a lock is set up with: a secret */
        get: {
            parameters: {
                path: {
                    lock_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                algorithm?: string;
                                format?: number;
                                key?: string;
                                lock_id: string;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/operators": {
        parameters: {
        };
        /** List operators */
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
                            data: {
                                operators: components["schemas"]["OperatorAccount"][];
                            };
                            message: string;
                        };
                    };
                };
            };
        };
        /** Add an operator */
        post: {
            parameters: {
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "email": "ada.park@example.com",
                     *       "password": "correct horse battery staple",
                     *       "role": "auditor",
                     *       "disabled": false
                     *     }
                     */
                    "application/json": components["schemas"]["NewOperatorBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorAccount"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/operators/{operator_id}": {
        parameters: {
        };
        /** Remove an operator */
        delete: {
            parameters: {
                path: {
                    operator_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            message: string;
                        };
                    };
                };
            };
        };
        /** Change an operator */
        patch: {
            parameters: {
                path: {
                    operator_id: string;
                };
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "email": "ada.park@example.com",
                     *       "password": "correct horse battery staple",
                     *       "role": "auditor",
                     *       "disabled": false
                     *     }
                     */
                    "application/json": components["schemas"]["OperatorChangeBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorAccount"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/pull-sources/{pull_source_id}": {
        parameters: {
        };
        /** Read a pull source */
        get: {
            parameters: {
                path: {
                    pull_source_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["PullSource"];
                            message: string;
                        };
                    };
                };
            };
        };
        /** Change a pull source */
        patch: {
            parameters: {
                path: {
                    pull_source_id: string;
                };
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "name": "Units of the PMS",
                     *       "url": "https://pms.example.com/units.json",
                     *       "auth_header": "Bearer a-credential-of-the-pms",
                     *       "interval_seconds": 60,
                     *       "mapping": {
                     *         "unitNumber": "crm_unit_id"
                     *       },
                     *       "enabled": false
                     *     }
                     */
                    "application/json": components["schemas"]["PullSourceChangeBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["PullSource"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/pull-sources/{pull_source_id}/runs": {
        parameters: {
        };
        /** List the runs of a pull source, newest first */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                };
                path: {
                    pull_source_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                next_cursor: string | null;
                                runs: components["schemas"]["PullRun"][];
                            };
                            message: string;
                        };
                    };
                };
            };
        };
        /** Run a pull source now */
        post: {
            parameters: {
                path: {
                    pull_source_id: string;
                };
            };
            responses: {
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["PullRun"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/session": {
        parameters: {
        };
        /** Read who has signed in */
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
                            data: components["schemas"]["OperatorAccount"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/session/password": {
        parameters: {
        };
        /** Change the own password; all sessions end */
        patch: {
            parameters: {
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "current": "correct horse battery staple",
                     *       "next": "another horse battery staple"
                     *     }
                     */
                    "application/json": components["schemas"]["PasswordBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/sessions": {
        parameters: {
        };
        /** Sign in */
        post: {
            parameters: {
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "email": "ada.park@example.com",
                     *       "password": "correct horse battery staple"
                     *     }
                     */
                    "application/json": components["schemas"]["LoginBody"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                /** Format: date-time */
                                expires_at: string;
                                token: string;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
        /** End the session that asks */
        delete: {
            parameters: {
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/tenants": {
        parameters: {
        };
        /** Find tenants by the beginning of a name, an e-mail, a phone number or a PMS identifier */
        get: {
            parameters: {
                query?: {
                    company_id?: string;
                    cursor?: string;
                    limit?: number;
                    location_id?: string;
                    q?: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                next_cursor: string | null;
                                tenants: components["schemas"]["OperatorTenant"][];
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/tenants/{tenant_id}": {
        parameters: {
        };
        /** Read a tenant with all that the tenant has */
        get: {
            parameters: {
                path: {
                    tenant_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorTenantDetail"];
                            message: string;
                        };
                    };
                };
            };
        };
        /** Change details of a tenant */
        patch: {
            parameters: {
                path: {
                    tenant_id: string;
                };
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "pms_tenant_id": "T-1001",
                     *       "name": "Ada Park",
                     *       "email": "ada.park@example.com",
                     *       "phone": "+15551234567"
                     *     }
                     */
                    "application/json": components["schemas"]["TenantChange"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                tenant_id: string;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/tenants/{tenant_id}/personal-data": {
        parameters: {
        };
        /** Erase the personal details of a tenant */
        delete: {
            parameters: {
                path: {
                    tenant_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                tenant_id: string;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/tenants/{tenant_id}/sessions": {
        parameters: {
        };
        /** Sign out every app of a tenant */
        delete: {
            parameters: {
                path: {
                    tenant_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                tenant_id: string;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/units": {
        parameters: {
        };
        /** Find units */
        get: {
            parameters: {
                query?: {
                    company_id?: string;
                    cursor?: string;
                    limit?: number;
                    location_id?: string;
                    q?: string;
                    reason?: "active" | "pms_exempt" | "system_exempt" | "delinquent" | "future_move_in" | "blanket_delinquency" | "pms_lockout" | "system_lockout";
                    retired?: boolean;
                    state?: "vacant" | "tenant_permitted" | "tenant_denied" | "auction" | "unrentable";
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                next_cursor: string | null;
                                units: components["schemas"]["OperatorUnit"][];
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/units/{unit_id}": {
        parameters: {
        };
        /** Read a unit with all that hangs on it */
        get: {
            parameters: {
                path: {
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorUnitDetail"];
                            message: string;
                        };
                    };
                };
            };
        };
        /** Change facts of a standalone unit */
        patch: {
            parameters: {
                path: {
                    unit_id: string;
                };
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "balance_due": 0,
                     *       "paid_through_date": "2026-06-30",
                     *       "pms_lockout": false,
                     *       "pms_lock_exempt": false,
                     *       "pms_auction": false,
                     *       "pms_unrentable": false,
                     *       "pms_status_raw": "Rented"
                     *     }
                     */
                    "application/json": components["schemas"]["FactsBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["UnitWritten"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/units/{unit_id}/activity": {
        parameters: {
        };
        /** Read what locks reported of a unit, newest first */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                };
                path: {
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                entries: components["schemas"]["OperatorActivityEntry"][];
                                next_cursor: string | null;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/units/{unit_id}/as-of": {
        parameters: {
        };
        /** Read a unit as of an instant */
        get: {
            parameters: {
                query: {
                    at: string;
                };
                path: {
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                access: components["schemas"]["ExplainedAccess"];
                                /** Format: date-time */
                                at: string;
                                crm_unit_id: string;
                                facts: components["schemas"]["Facts"];
                                /** Format: date-time */
                                last_accessed_at: string | null;
                                location: {
                                    id: string;
                                    name: string;
                                    pms_location_code: string;
                                    timezone: string;
                                };
                                policy: {
                                    /** @description Decimal, at most 2 places. */
                                    balance_threshold: number;
                                    blanket_delinquency: boolean;
                                    /** @enum {string} */
                                    delinquency_mode: "automatic" | "pms_flag_only";
                                    grace_period_days: number;
                                    timezone: string;
                                };
                                revision: number;
                                /** @enum {string} */
                                source_type: "push" | "pull" | "standalone";
                                unit_id: string;
                                unit_name: string;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/units/{unit_id}/explain": {
        parameters: {
        };
        /** Read why access is what it is, and who wrote what */
        get: {
            parameters: {
                path: {
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                also: ("active" | "pms_exempt" | "system_exempt" | "delinquent" | "future_move_in" | "blanket_delinquency" | "pms_lockout" | "system_lockout" | "unrentable")[];
                                checks: {
                                    looked_at: {
                                        name: string;
                                        revision: number | null;
                                        set_by: {
                                            actor: {
                                                id: string;
                                                kind: string;
                                                name: string | null;
                                            };
                                            command_id: string;
                                            /** Format: date-time */
                                            occurred_at: string;
                                            request_id: string;
                                            revision: number;
                                            type: string;
                                        } | null;
                                        unit_id?: string;
                                        value: string | number | boolean | null;
                                    }[];
                                    matched: boolean;
                                    name: string;
                                    number: number;
                                    /** @enum {string|null} */
                                    reason: "active" | "pms_exempt" | "system_exempt" | "delinquent" | "future_move_in" | "blanket_delinquency" | "pms_lockout" | "system_lockout" | null;
                                    /** @enum {string} */
                                    state: "vacant" | "tenant_permitted" | "tenant_denied" | "auction" | "unrentable";
                                }[];
                                crm_unit_id: string;
                                decided_by: string;
                                /** @enum {string|null} */
                                reason: "active" | "pms_exempt" | "system_exempt" | "delinquent" | "future_move_in" | "blanket_delinquency" | "pms_lockout" | "system_lockout" | null;
                                resolution: components["schemas"]["Cure"][] | null;
                                /** @enum {string} */
                                state: "vacant" | "tenant_permitted" | "tenant_denied" | "auction" | "unrentable";
                                unit_id: string;
                                /** Format: date-time */
                                valid_until: string | null;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/units/{unit_id}/history": {
        parameters: {
        };
        /** Read what happened to a unit */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    from?: string;
                    limit?: number;
                    order?: "asc" | "desc";
                    to?: string;
                };
                path: {
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["History"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/units/{unit_id}/locks/{lock_id}": {
        parameters: {
        };
        /** Put a lock on a unit */
        put: {
            parameters: {
                path: {
                    lock_id: string;
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Lock"];
                            message: string;
                        };
                    };
                };
            };
        };
        /** Take a lock off a unit */
        delete: {
            parameters: {
                path: {
                    lock_id: string;
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Lock"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/units/{unit_id}/name": {
        parameters: {
        };
        /** Rename a unit */
        patch: {
            parameters: {
                path: {
                    unit_id: string;
                };
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "unit_name": "A-101"
                     *     }
                     */
                    "application/json": components["schemas"]["UnitNameBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorWrite"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/units/{unit_id}/override": {
        parameters: {
        };
        /** Lock a unit out, or exempt it */
        put: {
            parameters: {
                path: {
                    unit_id: string;
                };
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "override": "lockout",
                     *       "reason": "Pays at the desk on Friday",
                     *       "expires_at": "2030-01-01T00:00:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["OverrideBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorWrite"];
                            message: string;
                        };
                    };
                };
            };
        };
        /** Clear the override */
        delete: {
            parameters: {
                path: {
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorWrite"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/units/{unit_id}/retired": {
        parameters: {
        };
        /** Retire a unit that was made by mistake */
        put: {
            parameters: {
                path: {
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorWrite"];
                            message: string;
                        };
                    };
                };
            };
        };
        /** Bring a retired unit back */
        delete: {
            parameters: {
                path: {
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorWrite"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/units/{unit_id}/shares/{tenant_id}": {
        parameters: {
        };
        /** Share a unit with another tenant */
        put: {
            parameters: {
                path: {
                    tenant_id: string;
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorWrite"];
                            message: string;
                        };
                    };
                };
            };
        };
        /** End a share */
        delete: {
            parameters: {
                path: {
                    tenant_id: string;
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["OperatorWrite"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/units/{unit_id}/tenancy": {
        parameters: {
        };
        /** Move a tenant into a standalone unit */
        put: {
            parameters: {
                path: {
                    unit_id: string;
                };
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "pms_tenant_id": "T-1001",
                     *       "move_in_date": "2026-01-15",
                     *       "ledger_id": "L-2001",
                     *       "unit_name": "A-101"
                     *     }
                     */
                    "application/json": components["schemas"]["MoveInBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["UnitWritten"];
                            message: string;
                        };
                    };
                };
            };
        };
        /** Move the tenant out of a standalone unit */
        delete: {
            parameters: {
                path: {
                    unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["UnitWritten"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/operator/zones/{zone_id}/units/{unit_id}": {
        parameters: {
        };
        /** Put a unit into a zone */
        put: {
            parameters: {
                path: {
                    unit_id: string;
                    zone_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                unit_id: string;
                                zone_id: string;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
        /** Take a unit out of a zone */
        delete: {
            parameters: {
                path: {
                    unit_id: string;
                    zone_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                unit_id: string;
                                zone_id: string;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/v2/access-policy": {
        parameters: {
        };
        /** Read how decisions are made */
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
                            data: {
                                checks: {
                                    name: string;
                                    number: number;
                                    /** @enum {string|null} */
                                    reason: "active" | "pms_exempt" | "system_exempt" | "delinquent" | "future_move_in" | "blanket_delinquency" | "pms_lockout" | "system_lockout" | null;
                                    /** @enum {string} */
                                    state: "vacant" | "tenant_permitted" | "tenant_denied" | "auction" | "unrentable";
                                    when: string;
                                }[];
                                parameters: {
                                    default: string | number | boolean | null;
                                    description: string;
                                    /** @description Decimal, at most 2 places. */
                                    maximum?: number;
                                    /** @description Decimal, at most 2 places. */
                                    minimum?: number;
                                    name: string;
                                    /** @enum {string} */
                                    type: "integer" | "number" | "boolean" | "string";
                                    values?: string[];
                                }[];
                                version: number;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/v2/auth/logout": {
        parameters: {
        };
        /** End the session that asks */
        post: {
            parameters: {
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/v2/auth/phone": {
        parameters: {
        };
        /** Have a code sent by SMS */
        post: {
            parameters: {
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "country_code": "1",
                     *       "phone_number": "5551234567"
                     *     }
                     */
                    "application/json": components["schemas"]["PhoneNumber"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/v2/auth/verify-otp": {
        parameters: {
        };
        /** Sign in with the code */
        post: {
            parameters: {
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "otp": "123456",
                     *       "tenant_id": "01JQ8Z5V7K3M9N2P4R6S8T0W1X",
                     *       "country_code": "1",
                     *       "phone_number": "5551234567"
                     *     }
                     */
                    "application/json": components["schemas"]["OtpVerification"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Login"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/v2/company": {
        parameters: {
        };
        /** Read what the token is, and what it may write */
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
                            data: {
                                clock: {
                                    ahead_seconds: number;
                                    /** Format: date-time */
                                    now: string;
                                } | null;
                                company_id: string;
                                limits: {
                                    requests: {
                                        limit: number;
                                        policy: string;
                                        window_seconds: number;
                                    }[];
                                    units_per_bulk: number;
                                };
                                locations: {
                                    id: string;
                                    name: string;
                                    pms_location_code: string;
                                    policy: {
                                        /** @description Decimal, at most 2 places. */
                                        balance_threshold: number;
                                        blanket_delinquency: boolean;
                                        /** @enum {string} */
                                        delinquency_mode: "automatic" | "pms_flag_only";
                                        grace_period_days: number;
                                        timezone: string;
                                    };
                                    timezone: string;
                                }[];
                                name: string;
                                sandbox: boolean;
                                token: {
                                    /** Format: date-time */
                                    created_at: string;
                                    /** Format: date-time */
                                    expires_at: string | null;
                                    name: string;
                                    /** @enum {string} */
                                    scope: "write" | "read";
                                    token_id: string;
                                };
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/v2/entry-points/{id}/logs": {
        parameters: {
        };
        /** Report what happened at an entry point */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "event": "unlock",
                     *       "result": "success",
                     *       "failure_code": "nfc_timeout",
                     *       "occurred_at": "2026-06-06T13:59:00Z",
                     *       "client_log_id": "tap-1",
                     *       "battery_percent": 80,
                     *       "message": "The door sticks."
                     *     }
                     */
                    "application/json": components["schemas"]["ActivityReports"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["LogEntry"] | {
                                entries: components["schemas"]["LogEntry"][];
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/v2/entry-points/logs": {
        parameters: {
        };
        /** Report what happened at an entry point that the body names */
        post: {
            parameters: {
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "entry_point_id": "01JQ8Z5V7K3M9N2P4R6S8T0W1X",
                     *       "event": "unlock",
                     *       "result": "success",
                     *       "failure_code": "nfc_timeout",
                     *       "occurred_at": "2026-06-06T13:59:00Z",
                     *       "client_log_id": "tap-1",
                     *       "battery_percent": 80,
                     *       "message": "The door sticks."
                     *     }
                     */
                    "application/json": components["schemas"]["EntryPointActivityReports"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["LogEntry"] | {
                                entries: components["schemas"]["LogEntry"][];
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/v2/events": {
        parameters: {
        };
        /** Follow what happens, in order */
        get: {
            parameters: {
                query?: {
                    after?: string;
                    limit?: number;
                    types?: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                events: {
                                    actor: {
                                        id: string;
                                        kind: string;
                                        name: string | null;
                                    };
                                    command_id: string;
                                    data: {
                                        [key: string]: unknown;
                                    };
                                    id: string;
                                    /** Format: date-time */
                                    occurred_at: string;
                                    request_id: string;
                                    revision: number;
                                    subject: {
                                        crm_unit_id?: string;
                                        entry_point_id?: string;
                                        /** @enum {string} */
                                        kind: "unit" | "location" | "tenant" | "lock" | "entry_point";
                                        location_id?: string;
                                        lock_id?: string;
                                        tenant_id?: string;
                                        unit_id?: string;
                                    };
                                    type: string;
                                }[];
                                next_after: string | null;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/v2/locations/{pms_location_code}/forecast": {
        parameters: {
        };
        /** Read which units change state on which date, if nothing is written */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    days?: number;
                    limit?: number;
                };
                path: {
                    pms_location_code: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                changes: {
                                    /** Format: date-time */
                                    at: string;
                                    crm_unit_id: string;
                                    /** Format: date */
                                    date: string;
                                    from: {
                                        /** @enum {string|null} */
                                        reason: "active" | "pms_exempt" | "system_exempt" | "delinquent" | "future_move_in" | "blanket_delinquency" | "pms_lockout" | "system_lockout" | null;
                                        /** @enum {string} */
                                        state: "vacant" | "tenant_permitted" | "tenant_denied" | "auction" | "unrentable";
                                    };
                                    to: {
                                        /** @enum {string|null} */
                                        reason: "active" | "pms_exempt" | "system_exempt" | "delinquent" | "future_move_in" | "blanket_delinquency" | "pms_lockout" | "system_lockout" | null;
                                        /** @enum {string} */
                                        state: "vacant" | "tenant_permitted" | "tenant_denied" | "auction" | "unrentable";
                                    };
                                    unit_id: string;
                                    unit_name: string;
                                }[];
                                dates: {
                                    changes: number;
                                    /** Format: date */
                                    date: string;
                                    denied: number;
                                    permitted: number;
                                }[];
                                /** Format: date-time */
                                from: string;
                                location: {
                                    id: string;
                                    name: string;
                                    pms_location_code: string;
                                    timezone: string;
                                };
                                next_cursor: string | null;
                                /** Format: date-time */
                                until: string;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/v2/locks/{id}/logs": {
        parameters: {
        };
        /** Report what happened at a lock */
        post: {
            parameters: {
                path: {
                    id: string;
                };
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "event": "unlock",
                     *       "result": "success",
                     *       "failure_code": "nfc_timeout",
                     *       "occurred_at": "2026-06-06T13:59:00Z",
                     *       "client_log_id": "tap-1",
                     *       "battery_percent": 80,
                     *       "message": "The door sticks."
                     *     }
                     */
                    "application/json": components["schemas"]["ActivityReports"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["LogEntry"] | {
                                entries: components["schemas"]["LogEntry"][];
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/v2/openapi.json": {
        parameters: {
        };
        /** Read this description */
        get: {
            parameters: {
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
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
        /** Read what the tenant may open, with the keys */
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
                            data: components["schemas"]["TenantAccess"];
                            message: string;
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
    "/api/v2/units": {
        parameters: {
        };
        /** List units */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                    pms_location_code?: string;
                    state?: "vacant" | "tenant_permitted" | "tenant_denied" | "auction" | "unrentable";
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                next_cursor: string | null;
                                units: components["schemas"]["Unit"][];
                            };
                            message: string;
                        };
                    };
                };
            };
        };
        /**
         * Bring up to 500 units up to date
         * @description What is wrong with one unit is told in `errors`; the others apply.
         */
        patch: {
            parameters: {
                query?: {
                    dry_run?: boolean;
                };
                header?: {
                    /** @description Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused. */
                    "Idempotency-Key"?: string;
                };
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "units": [
                     *         {
                     *           "crm_unit_id": "A-101",
                     *           "occupied": true,
                     *           "unit_name": "A-101",
                     *           "pms_tenant_id": "T-1001",
                     *           "tenant": {
                     *             "pms_tenant_id": "T-1001",
                     *             "first_name": "Ada",
                     *             "last_name": "Park",
                     *             "email": "ada.park@example.com",
                     *             "phone": "+15551234567"
                     *           },
                     *           "ledger_id": "L-2001",
                     *           "move_in_date": "2026-01-15",
                     *           "balance_due": 0,
                     *           "paid_through_date": "2026-06-30",
                     *           "pms_lockout": false,
                     *           "pms_lock_exempt": false,
                     *           "pms_auction": false,
                     *           "pms_unrentable": false,
                     *           "pms_status_raw": "Rented"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BulkBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["BulkResult"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/v2/units/{crm_unit_id}": {
        parameters: {
        };
        /** Read a unit with its decision */
        get: {
            parameters: {
                path: {
                    /** @description The integrator's name of the unit, percent-encoded, or `ulid:` and the service's own `unit_id`. */
                    crm_unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["ExplainedUnit"];
                            message: string;
                        };
                    };
                };
            };
        };
        /** Change some facts of a unit */
        patch: {
            parameters: {
                query?: {
                    dry_run?: boolean;
                };
                header?: {
                    /** @description Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The integrator's name of the unit, percent-encoded, or `ulid:` and the service's own `unit_id`. */
                    crm_unit_id: string;
                };
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "balance_due": 0,
                     *       "paid_through_date": "2026-06-30",
                     *       "pms_lockout": false,
                     *       "pms_lock_exempt": false,
                     *       "pms_auction": false,
                     *       "pms_unrentable": false,
                     *       "pms_status_raw": "Rented"
                     *     }
                     */
                    "application/json": components["schemas"]["FactsBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["UnitWritten"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/v2/units/{crm_unit_id}/activity": {
        parameters: {
        };
        /** Read what locks reported of a unit, newest first */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    limit?: number;
                };
                path: {
                    /** @description The integrator's name of the unit, percent-encoded, or `ulid:` and the service's own `unit_id`. */
                    crm_unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                entries: components["schemas"]["ActivityEntry"][];
                                next_cursor: string | null;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/v2/units/{crm_unit_id}/as-of": {
        parameters: {
        };
        /** Read a unit as of an instant */
        get: {
            parameters: {
                query: {
                    at: string;
                };
                path: {
                    /** @description The integrator's name of the unit, percent-encoded, or `ulid:` and the service's own `unit_id`. */
                    crm_unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                access: components["schemas"]["ExplainedAccess"];
                                /** Format: date-time */
                                at: string;
                                crm_unit_id: string;
                                facts: components["schemas"]["Facts"];
                                /** Format: date-time */
                                last_accessed_at: string | null;
                                location: {
                                    id: string;
                                    name: string;
                                    pms_location_code: string;
                                    timezone: string;
                                };
                                policy: {
                                    /** @description Decimal, at most 2 places. */
                                    balance_threshold: number;
                                    blanket_delinquency: boolean;
                                    /** @enum {string} */
                                    delinquency_mode: "automatic" | "pms_flag_only";
                                    grace_period_days: number;
                                    timezone: string;
                                };
                                revision: number;
                                /** @enum {string} */
                                source_type: "push" | "pull" | "standalone";
                                unit_id: string;
                                unit_name: string;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/v2/units/{crm_unit_id}/explain": {
        parameters: {
        };
        /** Read why access is what it is, and who wrote what */
        get: {
            parameters: {
                path: {
                    /** @description The integrator's name of the unit, percent-encoded, or `ulid:` and the service's own `unit_id`. */
                    crm_unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: {
                                also: ("active" | "pms_exempt" | "system_exempt" | "delinquent" | "future_move_in" | "blanket_delinquency" | "pms_lockout" | "system_lockout" | "unrentable")[];
                                checks: {
                                    looked_at: {
                                        name: string;
                                        revision: number | null;
                                        set_by: {
                                            actor: {
                                                id: string;
                                                kind: string;
                                                name: string | null;
                                            };
                                            command_id: string;
                                            /** Format: date-time */
                                            occurred_at: string;
                                            request_id: string;
                                            revision: number;
                                            type: string;
                                        } | null;
                                        unit_id?: string;
                                        value: string | number | boolean | null;
                                    }[];
                                    matched: boolean;
                                    name: string;
                                    number: number;
                                    /** @enum {string|null} */
                                    reason: "active" | "pms_exempt" | "system_exempt" | "delinquent" | "future_move_in" | "blanket_delinquency" | "pms_lockout" | "system_lockout" | null;
                                    /** @enum {string} */
                                    state: "vacant" | "tenant_permitted" | "tenant_denied" | "auction" | "unrentable";
                                }[];
                                crm_unit_id: string;
                                decided_by: string;
                                /** @enum {string|null} */
                                reason: "active" | "pms_exempt" | "system_exempt" | "delinquent" | "future_move_in" | "blanket_delinquency" | "pms_lockout" | "system_lockout" | null;
                                resolution: components["schemas"]["Cure"][] | null;
                                /** @enum {string} */
                                state: "vacant" | "tenant_permitted" | "tenant_denied" | "auction" | "unrentable";
                                unit_id: string;
                                /** Format: date-time */
                                valid_until: string | null;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/v2/units/{crm_unit_id}/history": {
        parameters: {
        };
        /** Read what happened to a unit */
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                    from?: string;
                    limit?: number;
                    order?: "asc" | "desc";
                    to?: string;
                };
                path: {
                    /** @description The integrator's name of the unit, percent-encoded, or `ulid:` and the service's own `unit_id`. */
                    crm_unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["History"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/v2/units/{crm_unit_id}/tenancy": {
        parameters: {
        };
        /** Move a tenant in, and create the unit where there is none */
        put: {
            parameters: {
                query?: {
                    dry_run?: boolean;
                };
                header?: {
                    /** @description Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The integrator's name of the unit, percent-encoded, or `ulid:` and the service's own `unit_id`. */
                    crm_unit_id: string;
                };
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "pms_tenant_id": "T-1001",
                     *       "move_in_date": "2026-01-15",
                     *       "ledger_id": "L-2001",
                     *       "unit_name": "A-101"
                     *     }
                     */
                    "application/json": components["schemas"]["MoveInBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["UnitWritten"];
                            message: string;
                        };
                    };
                };
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["UnitWritten"];
                            message: string;
                        };
                    };
                };
            };
        };
        /** Move the tenant out and reset the facts */
        delete: {
            parameters: {
                query?: {
                    dry_run?: boolean;
                };
                header?: {
                    /** @description Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused. */
                    "Idempotency-Key"?: string;
                };
                path: {
                    /** @description The integrator's name of the unit, percent-encoded, or `ulid:` and the service's own `unit_id`. */
                    crm_unit_id: string;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["UnitWritten"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/v2/units/compare": {
        parameters: {
        };
        /** Compare up to 500 units with what is known, without writing them */
        post: {
            parameters: {
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "units": [
                     *         {
                     *           "crm_unit_id": "A-101",
                     *           "occupied": true,
                     *           "unit_name": "A-101",
                     *           "pms_tenant_id": "T-1001",
                     *           "tenant": {
                     *             "pms_tenant_id": "T-1001",
                     *             "first_name": "Ada",
                     *             "last_name": "Park",
                     *             "email": "ada.park@example.com",
                     *             "phone": "+15551234567"
                     *           },
                     *           "ledger_id": "L-2001",
                     *           "move_in_date": "2026-01-15",
                     *           "balance_due": 0,
                     *           "paid_through_date": "2026-06-30",
                     *           "pms_lockout": false,
                     *           "pms_lock_exempt": false,
                     *           "pms_auction": false,
                     *           "pms_unrentable": false,
                     *           "pms_status_raw": "Rented"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BulkBody"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            data: components["schemas"]["Comparison"];
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/api/v2/webhooks": {
        parameters: {
        };
        /** Not implemented */
        get: {
            parameters: {
            };
            responses: never;
        };
        /** Not implemented */
        put: {
            parameters: {
            };
            responses: never;
        };
        /** Not implemented */
        post: {
            parameters: {
            };
            responses: never;
        };
        /** Not implemented */
        delete: {
            parameters: {
            };
            responses: never;
        };
        /** Not implemented */
        patch: {
            parameters: {
            };
            responses: never;
        };
    };
    "/api/v2/webhooks/{path}": {
        parameters: {
        };
        /** Not implemented */
        get: {
            parameters: {
                path: {
                    path: string;
                };
            };
            responses: never;
        };
        /** Not implemented */
        put: {
            parameters: {
                path: {
                    path: string;
                };
            };
            responses: never;
        };
        /** Not implemented */
        post: {
            parameters: {
                path: {
                    path: string;
                };
            };
            responses: never;
        };
        /** Not implemented */
        delete: {
            parameters: {
                path: {
                    path: string;
                };
            };
            responses: never;
        };
        /** Not implemented */
        patch: {
            parameters: {
                path: {
                    path: string;
                };
            };
            responses: never;
        };
    };
    "/health": {
        parameters: {
        };
        /** Ask whether the process serves */
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
                            data: {
                                service: string;
                                status: string;
                                /** Format: date-time */
                                time: string;
                                version: string;
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
    "/health/ready": {
        parameters: {
        };
        /** Ask whether it can work */
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
                            data: {
                                dependencies: {
                                    [key: string]: {
                                        detail?: string;
                                        /** @enum {string} */
                                        status: "ok" | "unavailable";
                                    };
                                };
                                projection: {
                                    detail?: string;
                                    lag: number | null;
                                    /** @enum {string} */
                                    status: "ok" | "unavailable";
                                };
                                /** @enum {string} */
                                status: "ok" | "unavailable";
                            };
                            message: string;
                        };
                    };
                };
            };
        };
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Access: {
            also: ("active" | "pms_exempt" | "system_exempt" | "delinquent" | "future_move_in" | "blanket_delinquency" | "pms_lockout" | "system_lockout" | "unrentable")[];
            /** @enum {string|null} */
            reason: "active" | "pms_exempt" | "system_exempt" | "delinquent" | "future_move_in" | "blanket_delinquency" | "pms_lockout" | "system_lockout" | null;
            resolution: components["schemas"]["Cure"][] | null;
            /** @enum {string} */
            state: "vacant" | "tenant_permitted" | "tenant_denied" | "auction" | "unrentable";
            /** Format: date-time */
            valid_until: string | null;
        };
        ActivityEntry: {
            entry_point_id?: string;
            entry_point_name?: string | null;
            /** @enum {string} */
            event: "unlock" | "lock" | "attempt";
            failure_code: string | null;
            lock_id?: string;
            lock_name?: string | null;
            log_id: string;
            message: string | null;
            /** Format: date-time */
            occurred_at: string;
            /** Format: date-time */
            recorded_at: string;
            /** @enum {string} */
            result: "success" | "failure";
            tenant_id: string;
        };
        ActivityReports: {
            battery_percent?: number;
            client_log_id?: string;
            entries?: unknown[];
            /** @enum {string} */
            event?: "unlock" | "lock" | "attempt";
            failure_code?: string;
            message?: string;
            /** Format: date-time */
            occurred_at?: string;
            /** @enum {string} */
            result?: "success" | "failure";
        };
        ApiToken: {
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            last_used_at: string | null;
            name: string;
            /** Format: date-time */
            revoked_at: string | null;
            /** @enum {string} */
            scope: "write" | "read";
            token_id: string;
        };
        ApiTokenBody: {
            /** Format: date-time */
            expires_at?: string | null;
            name: string;
            /** @enum {string} */
            scope?: "write" | "read";
        };
        BacktestBody: {
            days: number;
            policy: components["schemas"]["PolicyFields"];
        };
        BulkBody: {
            units: components["schemas"]["BulkEntry"][];
        };
        BulkEntry: {
            balance_due?: number;
            crm_unit_id: string;
            ledger_id?: string | null;
            /**
             * Format: date
             * @description Required when occupied is true.
             */
            move_in_date?: string | null;
            occupied: boolean;
            /** Format: date */
            paid_through_date?: string | null;
            pms_auction?: boolean;
            pms_location_code?: string;
            pms_lock_exempt?: boolean;
            pms_lockout?: boolean;
            pms_status_raw?: string | null;
            pms_tenant_id?: string | null;
            pms_unrentable?: boolean;
            tenant?: components["schemas"]["TenantBody"] | null;
            unit_name?: string;
        };
        BulkResult: {
            created: number;
            dry_run?: boolean;
            errors: components["schemas"]["EntryError"][];
            /** Format: date-time */
            synced_at: string;
            total: number;
            unchanged: number;
            updated: number;
            warnings?: components["schemas"]["EntryWarning"][];
        };
        Check: {
            looked_at: {
                name: string;
                revision: number | null;
                unit_id?: string;
                value: string | number | boolean | null;
            }[];
            matched: boolean;
            name: string;
            number: number;
            /** @enum {string|null} */
            reason: "active" | "pms_exempt" | "system_exempt" | "delinquent" | "future_move_in" | "blanket_delinquency" | "pms_lockout" | "system_lockout" | null;
            /** @enum {string} */
            state: "vacant" | "tenant_permitted" | "tenant_denied" | "auction" | "unrentable";
        };
        ClockAdvanceBody: {
            advance_seconds: number;
        };
        Company: {
            clock: {
                ahead_seconds: number;
                /** Format: date-time */
                now: string;
            } | null;
            company_id: string;
            /** Format: date-time */
            created_at: string;
            name: string;
            sandbox: boolean;
        };
        Comparison: {
            /** Format: date-time */
            compared_at: string;
            different: {
                crm_unit_id: string;
                fields: {
                    field: string;
                    given: string | number | boolean | null;
                    here: string | number | boolean | null;
                }[];
                unit_id: string;
            }[];
            errors: components["schemas"]["EntryError"][];
            missing_given: string[];
            missing_here: string[];
            more_missing_given: boolean;
            same: number;
            total: number;
        };
        Cure: {
            /** @enum {string} */
            by: "pms" | "operator";
            crm_unit_id: string;
            field: string;
            to: string | number | boolean | null;
            unit_id: string | null;
        };
        EntryError: {
            code: string;
            crm_unit_id: string;
            error: string;
            errors?: {
                [key: string]: string[];
            };
        };
        EntryPoint: {
            entry_point_id: string;
            in_service: boolean;
            /** @enum {string} */
            kind: "gate" | "door" | "elevator";
            location_id: string;
            name: string;
            zone_ids: string[];
        };
        EntryPointActivityReports: {
            battery_percent?: number;
            client_log_id?: string;
            entries?: unknown[];
            entry_point_id: string;
            /** @enum {string} */
            event?: "unlock" | "lock" | "attempt";
            failure_code?: string;
            message?: string;
            /** Format: date-time */
            occurred_at?: string;
            /** @enum {string} */
            result?: "success" | "failure";
        };
        EntryPointChangeBody: {
            in_service?: boolean;
            name?: string;
            zone_ids?: string[];
        };
        EntryWarning: {
            code: string;
            crm_unit_id: string;
            message: string;
        };
        Error: {
            /**
             * @description For programs; stable.
             * @enum {string}
             */
            code: "malformed_json" | "invalid_request" | "unauthorized" | "forbidden" | "not_found" | "unit_not_found" | "company_not_found" | "location_not_found" | "zone_not_found" | "entry_point_not_found" | "lock_not_found" | "tenant_not_found" | "operator_not_found" | "api_token_not_found" | "pull_source_not_found" | "method_not_allowed" | "request_timeout" | "idempotency_key_reused" | "unit_managed_elsewhere" | "unit_occupied" | "unit_retired" | "not_a_sandbox" | "last_admin" | "lock_on_another_unit" | "payload_too_large" | "unsupported_media_type" | "expectation_failed" | "validation_failed" | "phone_unknown" | "otp_invalid" | "unit_not_occupied" | "rate_limited" | "headers_too_large" | "server_error" | "not_implemented" | "store_unavailable" | "starting" | "shutting_down" | "sms_unavailable" | "request_in_progress" | "not_ready";
            /** @description Messages by the dotted path of the field. */
            errors?: {
                [key: string]: string[];
            };
            /** @description For people. */
            message: string;
        };
        ExplainedAccess: {
            also: ("active" | "pms_exempt" | "system_exempt" | "delinquent" | "future_move_in" | "blanket_delinquency" | "pms_lockout" | "system_lockout" | "unrentable")[];
            checks: components["schemas"]["Check"][];
            /** @enum {string|null} */
            reason: "active" | "pms_exempt" | "system_exempt" | "delinquent" | "future_move_in" | "blanket_delinquency" | "pms_lockout" | "system_lockout" | null;
            resolution: components["schemas"]["Cure"][] | null;
            /** @enum {string} */
            state: "vacant" | "tenant_permitted" | "tenant_denied" | "auction" | "unrentable";
            /** Format: date-time */
            valid_until: string | null;
        };
        ExplainedUnit: {
            access: components["schemas"]["ExplainedAccess"];
            crm_unit_id: string;
            facts: components["schemas"]["Facts"];
            /** Format: date-time */
            last_accessed_at: string | null;
            location: {
                id: string;
                name: string;
                pms_location_code: string;
                timezone: string;
            };
            revision: number;
            /** @enum {string} */
            source_type: "push" | "pull" | "standalone";
            unit_id: string;
            unit_name: string;
        };
        Facts: {
            /** @description Decimal, at most 2 places. */
            balance_due: number;
            ledger_id: string | null;
            /** Format: date */
            move_in_date: string | null;
            occupied: boolean;
            /** Format: date */
            paid_through_date: string | null;
            pms_auction: boolean;
            pms_lock_exempt: boolean;
            pms_lockout: boolean;
            pms_status_raw: string | null;
            pms_tenant_id: string | null;
            pms_unrentable: boolean;
        };
        FactsBody: {
            balance_due?: number;
            /** Format: date */
            paid_through_date?: string | null;
            pms_auction?: boolean;
            pms_lock_exempt?: boolean;
            pms_lockout?: boolean;
            pms_status_raw?: string | null;
            pms_unrentable?: boolean;
        };
        History: {
            entries: components["schemas"]["HistoryEntry"][];
            next_cursor: string | null;
        };
        HistoryEntry: {
            access?: {
                from: {
                    /** @enum {string|null} */
                    reason: "active" | "pms_exempt" | "system_exempt" | "delinquent" | "future_move_in" | "blanket_delinquency" | "pms_lockout" | "system_lockout" | null;
                    /** @enum {string} */
                    state: "vacant" | "tenant_permitted" | "tenant_denied" | "auction" | "unrentable";
                } | null;
                to: {
                    /** @enum {string|null} */
                    reason: "active" | "pms_exempt" | "system_exempt" | "delinquent" | "future_move_in" | "blanket_delinquency" | "pms_lockout" | "system_lockout" | null;
                    /** @enum {string} */
                    state: "vacant" | "tenant_permitted" | "tenant_denied" | "auction" | "unrentable";
                };
            };
            actor: {
                id: string;
                kind: string;
                name: string | null;
            };
            cause?: {
                crm_unit_id?: string;
                /** @enum {string} */
                kind: "calendar" | "unit" | "policy";
                location_id?: string;
                revision?: number;
                unit_id?: string;
            };
            changes: {
                [key: string]: {
                    from: (string | number | boolean | null) | string[];
                    to: (string | number | boolean | null) | string[];
                };
            };
            command_id: string | null;
            hash: string | null;
            /** Format: date-time */
            occurred_at: string;
            request_id: string | null;
            revision: number | null;
            type: string;
        };
        IssuedApiToken: {
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            name: string;
            /** @enum {string} */
            scope: "write" | "read";
            token: string;
            token_id: string;
        };
        Location: {
            /** @description Decimal, at most 2 places. */
            balance_threshold: number;
            blanket_delinquency: boolean;
            company_id: string;
            /** @enum {string} */
            delinquency_mode: "automatic" | "pms_flag_only";
            grace_period_days: number;
            location_id: string;
            name: string;
            pms_location_code: string;
            timezone: string;
        };
        LocationChangeBody: {
            balance_threshold?: number;
            blanket_delinquency?: boolean;
            /** @enum {string} */
            delinquency_mode?: "automatic" | "pms_flag_only";
            grace_period_days?: number;
            name?: string;
            /** @description IANA time zone */
            timezone?: string;
        };
        Lock: {
            location_id: string;
            lock_id: string;
            name: string;
            serial: string | null;
            unit_id: string | null;
        };
        LogEntry: {
            log_id: string;
            /** Format: date-time */
            recorded_at: string;
        };
        Login: {
            /** Format: date-time */
            expires_at: string;
            token: string;
            user: {
                email: string | null;
                id: string;
                name: string;
                phone: string;
            };
        } | {
            accounts: {
                company: string;
                location: string;
                name: string;
                tenant_id: string;
            }[];
            token: null;
        };
        LoginBody: {
            email: string;
            password: string;
        };
        MoveInBody: {
            ledger_id?: string | null;
            /** Format: date */
            move_in_date: string;
            pms_location_code?: string;
            pms_tenant_id: string;
            unit_name?: string;
        };
        MoveInEvent: {
            crm_unit_id: string;
            ledger_id?: string | null;
            /** Format: date */
            move_in_date: string;
            pms_location_code?: string;
            pms_tenant_id: string;
            unit_name?: string;
        };
        MoveOutEvent: {
            crm_unit_id: string;
        };
        NameBody: {
            name: string;
        };
        NewCompanyBody: {
            name: string;
            sandbox?: boolean;
        };
        NewEntryPointBody: {
            /** @enum {string} */
            kind: "gate" | "door" | "elevator";
            name: string;
            zone_ids: string[];
        };
        NewLocationBody: {
            balance_threshold?: number;
            blanket_delinquency?: boolean;
            /** @enum {string} */
            delinquency_mode?: "automatic" | "pms_flag_only";
            grace_period_days?: number;
            name: string;
            pms_location_code: string;
            /** @description IANA time zone */
            timezone?: string;
        };
        NewLockBody: {
            name: string;
            serial?: string | null;
        };
        NewOperatorBody: {
            companies?: string[] | null;
            disabled?: boolean;
            /** Format: email */
            email: string;
            password: string;
            /** @enum {string} */
            role: "auditor" | "manager" | "admin";
        };
        NewTenant: {
            /** Format: email */
            email?: string | null;
            name: string;
            phone?: string | null;
            pms_tenant_id: string;
        };
        NewUnitBody: {
            crm_unit_id: string;
            unit_name?: string;
        };
        OperatorAccount: {
            companies: string[] | null;
            /** Format: date-time */
            created_at: string;
            disabled: boolean;
            email: string;
            operator_id: string;
            /** @enum {string} */
            role: "auditor" | "manager" | "admin";
        };
        OperatorActivityEntry: {
            /** @description Decimal, at most 2 places. */
            battery_percent?: number | null;
            entry_point_id?: string;
            entry_point_name?: string | null;
            /** @enum {string} */
            event: "unlock" | "lock" | "attempt";
            failure_code: string | null;
            lock_id?: string;
            lock_name?: string | null;
            log_id: string;
            message: string | null;
            /** Format: date-time */
            occurred_at: string;
            /** Format: date-time */
            recorded_at: string;
            /** @enum {string} */
            result: "success" | "failure";
            tenant_id: string;
            unit_id?: string | null;
        };
        OperatorChangeBody: {
            companies?: string[] | null;
            disabled?: boolean;
            /** Format: email */
            email?: string;
            password?: string;
            /** @enum {string} */
            role?: "auditor" | "manager" | "admin";
        };
        OperatorTenant: {
            company_id: string;
            /** Format: date-time */
            created_at: string;
            email: string | null;
            /** Format: date-time */
            erased_at: string | null;
            location_id: string;
            name: string | null;
            phone: string | null;
            pms_tenant_id: string;
            tenant_id: string;
        };
        OperatorTenantDetail: {
            company_id: string;
            /** Format: date-time */
            created_at: string;
            email: string | null;
            /** Format: date-time */
            erased_at: string | null;
            keys_outstanding: {
                entry_point_id?: string;
                /** Format: date-time */
                expires_at: string;
                lock_id?: string;
                name: string | null;
            }[];
            location_id: string;
            name: string | null;
            phone: string | null;
            pms_tenant_id: string;
            sessions: {
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                expires_at: string;
                session_id: string;
            }[];
            shares: components["schemas"]["Unit"][];
            tenant_id: string;
            units: components["schemas"]["Unit"][];
            units_left_out?: number;
        };
        OperatorUnit: {
            access: components["schemas"]["Access"];
            company_id: string;
            crm_unit_id: string;
            facts: components["schemas"]["Facts"];
            /** Format: date-time */
            last_accessed_at: string | null;
            location: {
                id: string;
                name: string;
                pms_location_code: string;
                timezone: string;
            };
            retired: boolean;
            revision: number;
            /** @enum {string} */
            source_type: "push" | "pull" | "standalone";
            unit_id: string;
            unit_name: string;
        };
        OperatorUnitDetail: {
            access: components["schemas"]["ExplainedAccess"];
            company_id: string;
            crm_unit_id: string;
            facts: components["schemas"]["Facts"];
            /** Format: date-time */
            last_accessed_at: string | null;
            location: {
                id: string;
                name: string;
                pms_location_code: string;
                timezone: string;
            };
            locks: {
                keys_outstanding: {
                    /** Format: date-time */
                    expires_at: string;
                    tenant_id: string;
                }[];
                lock_id: string;
                name: string;
                serial: string | null;
            }[];
            other_keys_outstanding: {
                entry_point_id?: string;
                /** Format: date-time */
                expires_at: string;
                lock_id?: string;
                name: string | null;
                tenant_id: string;
            }[];
            override: {
                /** Format: date-time */
                expires_at: string | null;
                /** @enum {string} */
                override: "lockout" | "exempt";
                reason: string;
            } | null;
            retired: boolean;
            revision: number;
            shares: {
                email: string | null;
                name: string | null;
                phone: string | null;
                pms_tenant_id: string;
                tenant_id: string;
            }[];
            /** @enum {string} */
            source_type: "push" | "pull" | "standalone";
            tenant: {
                email: string | null;
                name: string | null;
                phone: string | null;
                pms_tenant_id: string;
                tenant_id: string;
            } | null;
            unit_id: string;
            unit_name: string;
            zones: {
                name: string | null;
                zone_id: string;
            }[];
        };
        OperatorWrite: {
            access: components["schemas"]["Access"];
            /** Format: date-time */
            applied_at: string;
            unit_id: string;
        };
        OtpVerification: {
            country_code: string;
            otp: string;
            phone_number: string;
            tenant_id?: string;
        };
        OverrideBody: {
            /** Format: date-time */
            expires_at?: string | null;
            /** @enum {string} */
            override: "lockout" | "exempt";
            reason: string;
        };
        PasswordBody: {
            current: string;
            next: string;
        };
        PhoneNumber: {
            country_code: string;
            phone_number: string;
        };
        PolicyFields: {
            balance_threshold?: number;
            blanket_delinquency?: boolean;
            /** @enum {string} */
            delinquency_mode?: "automatic" | "pms_flag_only";
            grace_period_days?: number;
            /** @description IANA time zone */
            timezone?: string;
        };
        PullFailure: {
            /** @enum {string} */
            code: "address_refused" | "unreachable" | "timeout" | "cut_off" | "http_status" | "rate_limited" | "redirect_refused" | "too_large" | "not_json" | "document_invalid" | "page_loop" | "too_many_pages" | "secret_unreadable" | "interrupted" | "store_unavailable" | "internal_error";
            message: string;
        };
        PullRun: {
            created: number;
            duration_ms: number | null;
            error_count: number;
            errors: components["schemas"]["EntryError"][];
            failure: components["schemas"]["PullFailure"] | null;
            /** Format: date-time */
            finished_at: string | null;
            pages: number;
            pages_not_modified: number;
            /** Format: date-time */
            requested_at: string;
            run_id: string;
            /** Format: date-time */
            started_at: string | null;
            /** @enum {string} */
            state: "queued" | "running" | "succeeded" | "failed";
            total: number;
            unchanged: number;
            updated: number;
        };
        PullSource: {
            company_id: string;
            /** Format: date-time */
            created_at: string;
            enabled: boolean;
            has_auth_header: boolean;
            interval_seconds: number;
            last_run_id: string | null;
            /** @enum {string|null} */
            last_run_state: "queued" | "running" | "succeeded" | "failed" | null;
            late: boolean;
            mapping: {
                [key: string]: string | null;
            } | null;
            name: string;
            /** Format: date-time */
            next_run_at: string | null;
            pull_source_id: string;
            running: boolean;
            url: string;
        };
        PullSourceBody: {
            auth_header?: string | null;
            interval_seconds: number;
            mapping?: {
                [key: string]: "crm_unit_id" | "occupied" | "unit_name" | "pms_location_code" | "pms_tenant_id" | "ledger_id" | "move_in_date" | "balance_due" | "paid_through_date" | "pms_lockout" | "pms_lock_exempt" | "pms_auction" | "pms_unrentable" | "pms_status_raw" | "tenant" | "tenant.pms_tenant_id" | "tenant.first_name" | "tenant.last_name" | "tenant.email" | "tenant.phone" | null;
            } | null;
            name: string;
            /** Format: uri */
            url: string;
        };
        PullSourceChangeBody: {
            auth_header?: string | null;
            enabled?: boolean;
            interval_seconds?: number;
            mapping?: {
                [key: string]: "crm_unit_id" | "occupied" | "unit_name" | "pms_location_code" | "pms_tenant_id" | "ledger_id" | "move_in_date" | "balance_due" | "paid_through_date" | "pms_lockout" | "pms_lock_exempt" | "pms_auction" | "pms_unrentable" | "pms_status_raw" | "tenant" | "tenant.pms_tenant_id" | "tenant.first_name" | "tenant.last_name" | "tenant.email" | "tenant.phone" | null;
            } | null;
            name?: string;
            /** Format: uri */
            url?: string;
        };
        TenantAccess: {
            entry_points: {
                entry_point_id: string;
                key?: string;
                /** Format: date-time */
                key_expires_at?: string;
                /** @enum {string} */
                kind: "gate" | "door" | "elevator";
                location_id: string;
                name: string;
                /** @enum {string} */
                state: "permitted" | "denied";
                would_have_access: boolean;
                zones: string[];
            }[];
            /** Format: date-time */
            evaluated_at: string;
            /** Format: date-time */
            refresh_at: string | null;
            tenant: {
                id: string;
                name: string;
            };
            units: {
                /** Format: date-time */
                last_accessed_at: string | null;
                location: {
                    id: string;
                    name: string;
                    timezone: string;
                };
                locks: {
                    key?: string;
                    /** Format: date-time */
                    key_expires_at?: string;
                    lock_id: string;
                    name: string;
                }[];
                /** @enum {string|null} */
                reason: "active" | "pms_exempt" | "system_exempt" | "delinquent" | "future_move_in" | "blanket_delinquency" | "pms_lockout" | "system_lockout" | null;
                /** @enum {string} */
                relationship: "primary" | "shared";
                /** @enum {string} */
                state: "vacant" | "tenant_permitted" | "tenant_denied" | "auction" | "unrentable";
                unit_id: string;
                unit_name: string;
            }[];
            /** Format: date-time */
            valid_until: string | null;
        };
        TenantBody: {
            /** Format: email */
            email?: string | null;
            first_name: string;
            last_name: string;
            phone?: string | null;
            pms_tenant_id: string;
        };
        TenantChange: {
            /** Format: email */
            email?: string | null;
            name?: string;
            phone?: string | null;
            pms_tenant_id?: string;
        };
        Unit: {
            access: components["schemas"]["Access"];
            crm_unit_id: string;
            facts: components["schemas"]["Facts"];
            /** Format: date-time */
            last_accessed_at: string | null;
            location: {
                id: string;
                name: string;
                pms_location_code: string;
                timezone: string;
            };
            revision: number;
            /** @enum {string} */
            source_type: "push" | "pull" | "standalone";
            unit_id: string;
            unit_name: string;
        };
        UnitNameBody: {
            unit_name: string;
        };
        UnitWritten: {
            access?: components["schemas"]["ExplainedAccess"];
            /** Format: date-time */
            applied_at: string;
            dry_run?: boolean;
            unit_id: string | null;
            warnings?: components["schemas"]["Warning"][];
        };
        Warning: {
            code: string;
            message: string;
        };
        Zone: {
            location_id: string;
            name: string;
            zone_id: string;
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
    "POST /api/operator/companies/{company_id}/clock",
    "PUT /api/v2/units/{crm_unit_id}/tenancy",
]);
