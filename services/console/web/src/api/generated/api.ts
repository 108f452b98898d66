// Made by `npm run reference` of the API's description c8a4b10f716b2e29.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Submissions: Record<string, never>;
        Queries: {
            listTasks: {
                /**
                 * @description Entries of a page.
                 * @default 20
                 */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /**
                 * @description Tasks of this status.
                 * @enum {string}
                 */
                status?: "submitted" | "pending" | "processing" | "completed" | "failed";
                /**
                 * @description Tasks of this family.
                 * @enum {string}
                 */
                family?: "image" | "video" | "music" | "imgtool" | "tts" | "text";
                /** @description Tasks of this model, by id or alias. */
                model?: string;
                /** @description Tasks created then or later. Unix seconds, or a day of UTC as 2026-01-31. */
                created_after?: string;
                /** @description Tasks created before then, or by the end of that day. Unix seconds, or a day of UTC as 2026-01-31. */
                created_before?: string;
                /** @description The task that was submitted with this key in the last 24 hours. */
                idempotency_key?: string;
                /** @description Tasks that work on the result of this one. */
                parent_task_id?: string;
                /** @description Tasks whose metadata has this text under the name; any number of names. */
                "metadata.<name>"?: string;
                /**
                 * @description Tasks whose callback stands so, as `callback.state` of their records; `failed`: `rejected`, `exhausted` or `dropped`.
                 * @enum {string}
                 */
                callback?: "pending" | "delivered" | "rejected" | "exhausted" | "dropped" | "failed";
                /** @description Language of `error.message`: one of de, en, es, fr, id, ja, ko, pt, ru, zh. Others leave it as it is. */
                language?: string;
                /** @description What is shown beside the record: any of `input`, `attempts` and `ledger`, with commas between them. `limit` is 20 at most then. */
                include?: string;
            };
            getTask: {
                /**
                 * @description Seconds to wait for the end of the task; after 55, however many were asked for, it is answered as it is.
                 * @default 0
                 */
                wait?: number;
                /** @description Language of `error.message`: one of de, en, es, fr, id, ja, ko, pt, ru, zh. Others leave it as it is. */
                language?: string;
                /** @description What is shown beside the record: any of `input`, `attempts` and `ledger`, with commas between them. */
                include?: string;
            };
            followTask: {
                /** @description Language of `error.message`: one of de, en, es, fr, id, ja, ko, pt, ru, zh. Others leave it as it is. */
                language?: string;
            };
            cancelTask: {
                /** @description Language of `error.message`: one of de, en, es, fr, id, ja, ko, pt, ru, zh. Others leave it as it is. */
                language?: string;
            };
            getMusicTask: {
                /** @description Language of `error.message`: one of de, en, es, fr, id, ja, ko, pt, ru, zh. Others leave it as it is. */
                language?: string;
            };
            createFile: {
                /**
                 * @description `provenance`: what the file states about its origin is read, too.
                 * @enum {string}
                 */
                include?: "provenance";
            };
            listFiles: {
                /**
                 * @description Entries of a page.
                 * @default 20
                 */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            getFile: {
                /** @description Part of the signed link. */
                expires?: string;
                /** @description Part of the signed link. */
                signature?: string;
            };
            listLedger: {
                /**
                 * @description Entries of a page.
                 * @default 20
                 */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description Entries of this task alone. */
                task_id?: string;
            };
            getInvoice: {
                /**
                 * @description Absent: the last one that is over.
                 * @example 2026-10
                 */
                month?: string;
                /**
                 * @description The zone of all days and months, those of the query included, by its IANA name as Asia/Shanghai.
                 * @default UTC
                 */
                timezone?: string;
                /**
                 * @description The table is written for Excel: with a byte order mark, and with ids of digits as texts.
                 * @default false
                 */
                excel?: boolean;
            };
            getUsage: {
                /** @description Tasks submitted from then on; absent: 30 days before `to`. Unix seconds, or a day of UTC as 2026-01-31. */
                from?: string;
                /** @description Tasks submitted before then, or by the end of that day; absent: now. Unix seconds, or a day of UTC as 2026-01-31. */
                to?: string;
                /**
                 * @description Up to six of `day`, `model`, `key`, `family`, `metadata.<name>`, separated by commas.
                 * @default day
                 */
                group_by?: string;
                /**
                 * @description The zone of all days and months, those of the query included, by its IANA name as Asia/Shanghai.
                 * @default UTC
                 */
                timezone?: string;
                /**
                 * @description The table is written for Excel: with a byte order mark, and with ids of digits as texts.
                 * @default false
                 */
                excel?: boolean;
            };
            listKeys: {
                /**
                 * @description Entries of a page.
                 * @default 20
                 */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /**
                 * @description `true`: those that were revoked, in place of the others.
                 * @default false
                 * @enum {string}
                 */
                revoked?: "true" | "false";
            };
            listNotices: {
                /**
                 * @description Entries of a page.
                 * @default 20
                 */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /**
                 * @description `standing`: only conditions that last; `resolved`: only those that have ended.
                 * @enum {string}
                 */
                state?: "standing" | "resolved";
                /**
                 * @description Only of this kind.
                 * @enum {string}
                 */
                kind?: "low_balance" | "key_quota" | "callbacks_failing";
            };
            adminListActions: {
                /**
                 * @description Entries of a page.
                 * @default 20
                 */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description The id of an account, key, task, attempt, delivery, channel, audit or operator, a billing key or the name of a secret: what was done to it alone. */
                subject?: string;
                /** @description Only changes by this actor, written as in `actor`. */
                actor?: string;
                /** @description What was done, as `action` says it. */
                action?: string;
                /** @description Done then or later. Unix seconds, or a day of UTC as 2026-01-31. */
                created_after?: string;
                /** @description Done before then, or by the end of that day. Unix seconds, or a day of UTC as 2026-01-31. */
                created_before?: string;
            };
            adminListAccounts: {
                /**
                 * @description Entries of a page.
                 * @default 20
                 */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description A part of its name, in any letter case, or how its id begins. */
                query?: string;
                /**
                 * @description Only in this state.
                 * @enum {string}
                 */
                state?: "active" | "suspended" | "closed";
                /** @description Only tasks of the key with this id of 12 characters. */
                key_id?: string;
            };
            adminListLedger: {
                /**
                 * @description Entries of a page.
                 * @default 20
                 */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            adminGetInvoice: {
                /**
                 * @description Absent: the last one that is over.
                 * @example 2026-10
                 */
                month?: string;
                /**
                 * @description The zone of all days and months, those of the query included, by its IANA name as Asia/Shanghai.
                 * @default UTC
                 */
                timezone?: string;
                /**
                 * @description The table is written for Excel: with a byte order mark, and with ids of digits as texts.
                 * @default false
                 */
                excel?: boolean;
            };
            adminGetUsage: {
                /** @description Tasks submitted from then on; absent: 30 days before `to`. Unix seconds, or a day of UTC as 2026-01-31. */
                from?: string;
                /** @description Tasks submitted before then, or by the end of that day; absent: now. Unix seconds, or a day of UTC as 2026-01-31. */
                to?: string;
                /**
                 * @description Any of `day`, `vendor`, `channel`, `model`, `account`, `family`, `key`, separated by commas. Vendor and channel are those of the last attempt; null: there was none.
                 * @default day
                 */
                group_by?: string;
                /**
                 * @description Whether groups say what accounts were charged for.
                 * @default false
                 */
                units?: boolean;
                /**
                 * @description The zone of all days and months, those of the query included, by its IANA name as Asia/Shanghai.
                 * @default UTC
                 */
                timezone?: string;
                /**
                 * @description The table is written for Excel: with a byte order mark, and with ids of digits as texts.
                 * @default false
                 */
                excel?: boolean;
            };
            adminListKeys: {
                /**
                 * @description Entries of a page.
                 * @default 20
                 */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description Only for this account. */
                account_id?: string;
                /** @description This one alone: the 12 characters after `mg_`. */
                id?: string;
                /**
                 * @description `true`: only revoked keys; `false`: only keys that are not revoked; absent: both.
                 * @enum {string}
                 */
                revoked?: "true" | "false";
                /** @description Neither made nor used since, give or take a minute; with `id` it does not count. Unix seconds, or a day of UTC as 2026-01-31. */
                unused_since?: string;
            };
            adminListUsers: {
                /**
                 * @description Entries of a page.
                 * @default 20
                 */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description Only for this account. */
                account_id?: string;
                /**
                 * @description Operators alone, or users of accounts.
                 * @enum {string}
                 */
                kind?: "operator" | "account";
                /**
                 * @description Only with this role.
                 * @enum {string}
                 */
                role?: "read" | "support" | "billing" | "admin" | "owner" | "developer" | "viewer";
                /**
                 * @description In this state alone; who is invited has not joined yet.
                 * @enum {string}
                 */
                state?: "active" | "invited" | "disabled";
                /** @description How their e-mail address begins, in any letter case. */
                email?: string;
            };
            adminListAudits: {
                /**
                 * @description Entries of a page.
                 * @default 20
                 */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            adminSearchTasks: {
                /**
                 * @description Entries of a page.
                 * @default 20
                 */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description Only for this account. */
                account_id?: string;
                /** @description `X-Request-Id` of the submission: the caller’s own, or the one that it was given. */
                request_id?: string;
                /** @description A whole id, its beginning as `task_01m7…`, or any part of it. */
                id?: string;
                /** @description Up to ten words, in any letter case, that all stand in what is known of it: model, reason and message of a failure, metadata, channels, the vendors’ ids of its jobs and what they said of them. Not in prompts. */
                query?: string;
                /** @description The URL of a file: of a result, or of one that a task was given. */
                url?: string;
                /** @description Only tasks whose metadata has this text under the name; needs `account_id`. */
                "metadata.<name>"?: string;
                /**
                 * @description Only with this status.
                 * @enum {string}
                 */
                status?: "submitted" | "pending" | "processing" | "completed" | "failed";
                /**
                 * @description Only of this family.
                 * @enum {string}
                 */
                family?: "image" | "video" | "music" | "imgtool" | "tts" | "text";
                /** @description Only for the model with this id. */
                model?: string;
                /** @description Created then or later. Unix seconds, or a day of UTC as 2026-01-31. */
                created_after?: string;
                /** @description Created before then, or by the end of that day. Unix seconds, or a day of UTC as 2026-01-31. */
                created_before?: string;
            };
            adminListQuarantine: {
                /**
                 * @description Entries of a page.
                 * @default 20
                 */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description `true`: also those that were resolved. */
                resolved?: boolean;
                /** @description `true`: those of test keys, which nobody has to resolve, in place of the others. */
                test?: boolean;
            };
            adminListDeliveries: {
                /**
                 * @description Entries of a page.
                 * @default 20
                 */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description Only for this account. */
                account_id?: string;
                /** @description Only for this task. */
                task_id?: string;
                /**
                 * @description Only in this state.
                 * @enum {string}
                 */
                state?: "pending" | "delivered" | "rejected" | "exhausted" | "dropped";
            };
            adminListChannels: {
                /**
                 * @description How far back attempts count.
                 * @default 60
                 */
                minutes?: number;
            };
            adminGetChannelHistory: {
                /**
                 * @description How far back.
                 * @default 1440
                 */
                minutes?: number;
                /** @description Only for this model. */
                model?: string;
            };
            adminListPrices: {
                /** @description Only for this model. */
                model?: string;
                /** @description Only for this billing key. */
                key?: string;
            };
            adminListPriceOverrides: {
                /**
                 * @description Entries of a page.
                 * @default 20
                 */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /** @description Only for this billing key. */
                key?: string;
            };
            adminListNotices: {
                /**
                 * @description Entries of a page.
                 * @default 20
                 */
                limit?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
                /**
                 * @description `standing`: only conditions that last; `resolved`: only those that have ended.
                 * @enum {string}
                 */
                state?: "standing" | "resolved";
                /**
                 * @description Only of this kind.
                 * @enum {string}
                 */
                kind?: "low_balance" | "key_quota" | "channel_sick" | "names_unlisted" | "callbacks_failing" | "audit_violation" | "storage_failing" | "books_waiting";
                /** @description Only about this account. */
                account_id?: string;
            };
        };
        Bodies: {
            getTasks: {
                /** @description Required, unless they stand in `ids`. */
                task_ids?: string[];
                /** @description Another name of `task_ids`. */
                ids?: string[];
                /** @description Language of `error.message`. */
                language?: string;
            } | unknown | unknown;
            createEstimate: {
                /** @description Path of the submission, such as `/v1/images/generations`. */
                path: string;
                /** @description The body, as it would be sent there. */
                body: {
                    [key: string]: unknown;
                };
            };
            uploadImage: {
                /** @description A data URL. */
                data: string;
                filename?: string;
            };
            announceFile: {
                bytes: number;
            };
            verifyFile: {
                /** @description URL of the file; a link of this service is accepted, too. */
                url: string;
            };
            createKey: {
                name?: string;
                /** @description The most that the key may spend in all, in currency units; null: no limit of its own. */
                quota?: number | null;
                /** @description What it may use; null or empty: all that the key may use that makes it. */
                families?: ("image" | "video" | "music" | "imgtool" | "tts" | "text")[] | null;
                /** @description Models by id or alias; null or empty: as for `families`. */
                models?: string[] | null;
                /** @description Submissions a minute; 300 unless it says so. */
                submit_per_minute?: number;
                /** @description Other requests a minute; 3000 unless it says so. */
                query_per_minute?: number;
                /** @description Tasks of one family that run at once; null: no limit of its own. */
                max_concurrent?: number | null;
                /**
                 * @description What it sees: `own`, what it made itself and what its own keys made, or `account`, all of the account. A new key: `account`; one that another key makes: `own`, and `account` only where its maker has that.
                 * @enum {string}
                 */
                scope?: "own" | "account";
                /** @description In Unix seconds, in the future; null: it does not end. */
                expires_at?: number | null;
                /**
                 * @description `test`: its tasks are free and made by a simulator, for good; those of a test key always are. Default: `"live"`.
                 * @enum {string}
                 */
                mode?: "live" | "test";
            };
            updateKey: {
                name?: string;
                /** @description The most that the key may spend in all, in currency units; null: no limit of its own. */
                quota?: number | null;
                /** @description What it may use; null or empty: all that the key may use that makes it. */
                families?: ("image" | "video" | "music" | "imgtool" | "tts" | "text")[] | null;
                /** @description Models by id or alias; null or empty: as for `families`. */
                models?: string[] | null;
                /** @description Submissions a minute; 300 unless it says so. */
                submit_per_minute?: number;
                /** @description Other requests a minute; 3000 unless it says so. */
                query_per_minute?: number;
                /** @description Tasks of one family that run at once; null: no limit of its own. */
                max_concurrent?: number | null;
                /**
                 * @description What it sees: `own`, what it made itself and what its own keys made, or `account`, all of the account. A new key: `account`; one that another key makes: `own`, and `account` only where its maker has that.
                 * @enum {string}
                 */
                scope?: "own" | "account";
                /** @description In Unix seconds, in the future; null: it does not end. */
                expires_at?: number | null;
            };
            redeliverMany: {
                /**
                 * @description In this state; required without `task_ids`.
                 * @enum {string}
                 */
                state?: "delivered" | "rejected" | "exhausted" | "dropped";
                /** @description Only the callbacks of these tasks. */
                task_ids?: string[];
                /** @description Their tasks ended then or later: Unix seconds, or a day of UTC. */
                created_after?: number | string;
                /** @description Their tasks ended before then, or by the end of that day: Unix seconds, or a day of UTC. */
                created_before?: number | string;
                /** @description Default: `1000`. */
                limit?: number;
                /** @description `next_cursor` of the answer before. */
                cursor?: string;
            };
            testWebhook: {
                /** @description A URL, with the rules of `webhook` of a submission. */
                url: string;
            };
            rotateWebhookSecret: {
                /** @description How long the secret before stays valid. Default: `86400`. */
                overlap_seconds?: number;
            };
            createNoticeTarget: {
                /** @enum {string} */
                medium: "webhook" | "email" | "slack";
                /** @description An http or https URL, to which nothing is added; of `email` the address of a mailbox. */
                address: string;
                /** @description The kinds of notices that the target gets; empty or absent: all. */
                kinds?: ("low_balance" | "key_quota" | "callbacks_failing")[];
                /**
                 * @description Language of the texts; by default that of `Accept-Language`.
                 * @enum {string}
                 */
                language?: "de" | "en" | "es" | "fr" | "id" | "ja" | "ko" | "pt" | "ru" | "zh";
            };
            updateNoticeTarget: {
                /** @description The kinds of notices that the target gets; empty or absent: all. */
                kinds?: ("low_balance" | "key_quota" | "callbacks_failing")[];
                /**
                 * @description Language of the texts; by default that of `Accept-Language`.
                 * @enum {string}
                 */
                language?: "de" | "en" | "es" | "fr" | "id" | "ja" | "ko" | "pt" | "ru" | "zh";
            };
            updateNoticeSettings: {
                /** @description Less than so many currency units is low; 0: never. By default 1. */
                low_balance?: number | null;
                /** @description Percentages of a key’s quota at which a notice is sent. By default 80 and 95. */
                key_quota_percents?: number[] | null;
                /** @description Callbacks that were not delivered within an hour, and no more that were. By default 5. */
                callbacks_failed?: number | null;
                /** @description What stands is told again after so long; 0: never. By default 1440. */
                repeat_minutes?: number | null;
                /** @description What is over and begins again within so long is not told anew before it has passed. By default 60. */
                quiet_minutes?: number | null;
            };
            adminCreateAccount: {
                /** @description What to call it: up to 200 characters. */
                name: string;
                /**
                 * @description How many of its tasks go on in a turn of those that wait beyond `DISPATCH_WINDOW`: 1, 3 (the default, `normal`) or 9.
                 * @enum {string}
                 */
                priority_class?: "low" | "normal" | "high";
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminUpdateAccount: {
                name?: string;
                /** @description Requests that create something a minute, of all its keys together; null: no limit but those of the keys. */
                submit_per_minute?: number | null;
                /** @description Requests that read a minute, of all its keys together; null: no limit but those of the keys. */
                query_per_minute?: number | null;
                /**
                 * @description How many of its tasks go on in a turn of those that wait beyond `DISPATCH_WINDOW`: 1, 3 (the default, `normal`) or 9.
                 * @enum {string}
                 */
                priority_class?: "low" | "normal" | "high";
                /**
                 * @description How its results are marked as made by a model; null: as the configuration says.
                 * @enum {unknown}
                 */
                marks?: "off" | "metadata" | "signed" | null;
                /**
                 * @description What becomes of a result that cannot be marked so; null: as the configuration says.
                 * @enum {unknown}
                 */
                unmarked?: "deliver" | "fail" | null;
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminSuspendAccount: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminResumeAccount: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminCloseAccount: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminTopUpAccount: {
                /** @description Currency units, with at most nine decimals. */
                amount: number;
                /** @description Reference of the payment; each reference is booked once. */
                reference?: string;
                /** @description Kept in the ledger. */
                note?: string;
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminAdjustAccount: {
                /** @description Currency units, with at most nine decimals. */
                amount: number;
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason: string;
            };
            adminRefundTask: {
                /** @description Currency units, with at most nine decimals. */
                amount?: number;
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason: string;
            };
            adminCreateKey: {
                account_id: string;
                name?: string;
                /** @description The most that the key may spend in all, in currency units; null: no limit of its own. */
                quota?: number | null;
                /** @description What it may use; null or empty: all that the key may use that makes it. */
                families?: ("image" | "video" | "music" | "imgtool" | "tts" | "text")[] | null;
                /** @description Models by id or alias; null or empty: as for `families`. */
                models?: string[] | null;
                /** @description Submissions a minute; 300 unless it says so. */
                submit_per_minute?: number;
                /** @description Other requests a minute; 3000 unless it says so. */
                query_per_minute?: number;
                /** @description Tasks of one family that run at once; null: no limit of its own. */
                max_concurrent?: number | null;
                /**
                 * @description What it sees: `own`, what it made itself and what its own keys made, or `account`, all of the account. A new key: `account`; one that another key makes: `own`, and `account` only where its maker has that.
                 * @enum {string}
                 */
                scope?: "own" | "account";
                /** @description In Unix seconds, in the future; null: it does not end. */
                expires_at?: number | null;
                /**
                 * @description `test`: its tasks are free and made by a simulator, for good; those of a test key always are. Default: `"live"`.
                 * @enum {string}
                 */
                mode?: "live" | "test";
                /** @description The right to make keys itself. */
                manage?: boolean;
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminUpdateKey: {
                name?: string;
                /** @description The most that the key may spend in all, in currency units; null: no limit of its own. */
                quota?: number | null;
                /** @description What it may use; null or empty: all that the key may use that makes it. */
                families?: ("image" | "video" | "music" | "imgtool" | "tts" | "text")[] | null;
                /** @description Models by id or alias; null or empty: as for `families`. */
                models?: string[] | null;
                /** @description Submissions a minute; 300 unless it says so. */
                submit_per_minute?: number;
                /** @description Other requests a minute; 3000 unless it says so. */
                query_per_minute?: number;
                /** @description Tasks of one family that run at once; null: no limit of its own. */
                max_concurrent?: number | null;
                /**
                 * @description What it sees: `own`, what it made itself and what its own keys made, or `account`, all of the account. A new key: `account`; one that another key makes: `own`, and `account` only where its maker has that.
                 * @enum {string}
                 */
                scope?: "own" | "account";
                /** @description In Unix seconds, in the future; null: it does not end. */
                expires_at?: number | null;
                /** @description The right to make keys itself. */
                manage?: boolean;
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminRotateKey: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminRevokeKey: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminInviteUser: {
                /** @description E-mail address by which the user signs in. */
                email: string;
                /** @description What to call them: up to 200 characters. */
                name: string;
                /**
                 * @description `read` to `admin` for operators; `owner`, `developer` or `viewer` for users of an account.
                 * @enum {string}
                 */
                role: "read" | "support" | "billing" | "admin" | "owner" | "developer" | "viewer";
                /** @description Absent: an operator. */
                account_id?: string;
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminUpdateUser: {
                /** @description What to call them: up to 200 characters. */
                name?: string;
                /** @enum {string} */
                role?: "read" | "support" | "billing" | "admin" | "owner" | "developer" | "viewer";
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminDisableUser: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminEnableUser: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminEndUserSessions: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminResetUserSecondFactor: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminResetUser: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminInviteUserAgain: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminDeleteUser: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminRunAudit: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminShowResult: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminRetryTask: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminFailTask: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminResolveAttempt: {
                /** @enum {string} */
                resolution: "paid" | "not_paid";
                /** @description What it charges, in currency units, of `paid`; absent: what is known stays. */
                cost?: number;
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminRedeliverMany: {
                /** @description Only for this account. */
                account_id?: string;
                /**
                 * @description In this state; required without `task_ids`.
                 * @enum {string}
                 */
                state?: "delivered" | "rejected" | "exhausted" | "dropped";
                /** @description Only the callbacks of these tasks. */
                task_ids?: string[];
                /** @description Their tasks ended then or later: Unix seconds, or a day of UTC. */
                created_after?: number | string;
                /** @description Their tasks ended before then, or by the end of that day: Unix seconds, or a day of UTC. */
                created_before?: number | string;
                /** @description Default: `1000`. */
                limit?: number;
                /** @description `next_cursor` of the answer before. */
                cursor?: string;
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminRedeliver: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminCancelDelivery: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminAddChannel: {
                /** @description Your own name of it. */
                id: string;
                /** @description Fields as an entry under `channels` of the configuration file has them; a secret is a reference, as there. Null or `file`: as the file says. */
                settings: {
                    [key: string]: unknown;
                };
                /** @description In Unix seconds; by default now, and where `models`, `costs` or `credit_cost` is among the settings at least 10 seconds ahead, so that every process knows it in time. */
                effective_at?: number;
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminProbeChannel: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminUpdateChannel: {
                /** @description Fields as an entry under `channels` of the configuration file has them; a secret is a reference, as there. Null or `file`: as the file says. */
                settings: {
                    [key: string]: unknown;
                };
                /** @description In Unix seconds; by default now, and where `models`, `costs` or `credit_cost` is among the settings at least 10 seconds ahead, so that every process knows it in time. */
                effective_at?: number;
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminRemoveChannel: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminDrainChannel: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminDisableChannel: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminWeighChannel: {
                weight: number;
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminResetChannel: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminSetPrice: {
                /** @description The billing key, as in `prices` of the configuration file. */
                key: string;
                /** @description As in the file, in currency units with at most 9 decimals: of a whole task, or by unit, or by unit and kind. `file`: what the file says, from then on. */
                price: number | Record<string, never> | "file";
                /** @description In Unix seconds, at least 10 seconds ahead, so that every process knows it in time; by default just then. */
                effective_at?: number;
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminVerifyFile: {
                /** @description URL of the file; a link of this service is accepted, too. */
                url: string;
            };
            adminCreateNoticeTarget: {
                /** @enum {string} */
                medium: "webhook" | "email" | "slack";
                /** @description An http or https URL, to which nothing is added; of `email` the address of a mailbox. */
                address: string;
                /** @description The kinds of notices that the target gets; empty or absent: all. */
                kinds?: ("low_balance" | "key_quota" | "channel_sick" | "names_unlisted" | "callbacks_failing" | "audit_violation" | "storage_failing" | "books_waiting")[];
                /**
                 * @description Language of the texts; by default that of `Accept-Language`.
                 * @enum {string}
                 */
                language?: "de" | "en" | "es" | "fr" | "id" | "ja" | "ko" | "pt" | "ru" | "zh";
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminUpdateNoticeTarget: {
                /** @description The kinds of notices that the target gets; empty or absent: all. */
                kinds?: ("low_balance" | "key_quota" | "channel_sick" | "names_unlisted" | "callbacks_failing" | "audit_violation" | "storage_failing" | "books_waiting")[];
                /**
                 * @description Language of the texts; by default that of `Accept-Language`.
                 * @enum {string}
                 */
                language?: "de" | "en" | "es" | "fr" | "id" | "ja" | "ko" | "pt" | "ru" | "zh";
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminRemoveNoticeTarget: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminTestNoticeTarget: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminUpdateNoticeSettings: {
                /** @description Less than so many currency units is low; 0: never. By default 1. */
                low_balance?: number | null;
                /** @description Percentages of a key’s quota at which a notice is sent. By default 80 and 95. */
                key_quota_percents?: number[] | null;
                /** @description Callbacks that were not delivered within an hour, and no more that were. By default 5. */
                callbacks_failed?: number | null;
                /** @description What stands is told again after so long; 0: never. By default 1440. */
                repeat_minutes?: number | null;
                /** @description What is over and begins again within so long is not told anew before it has passed. By default 60. */
                quiet_minutes?: number | null;
                /** @description A channel that has kept failing for so long is sick. By default 1. */
                channel_minutes?: number | null;
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminUpdateCallbackSchedule: {
                /** @description `retry_delays_seconds` and `timeout_seconds` as under `webhooks` of the configuration file. Null or `file`: as the file says. */
                settings: {
                    [key: string]: unknown;
                };
                /** @description In Unix seconds; by default now. */
                effective_at?: number;
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminSetSecret: {
                /** @description Your own name of it. */
                name: string;
                /** @description The key itself, up to 131,072 bytes in UTF-8. It has several lines where it is JSON, or PEM whose name begins with `signing.`. */
                value: string;
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
            adminRemoveSecret: {
                /** @description Why; kept in the audit log: up to 500 characters. */
                reason?: string;
            };
        };
        Answers: {
            listTasks: {
                /** @constant */
                code: 200;
                data: components["schemas"]["ShownTaskRecord"][];
                /** @description Send it as `cursor` for the next page; null: this is the last. */
                next_cursor: string | null;
                has_more: boolean;
            };
            getTasks: {
                /** @constant */
                code: 200;
                data: (components["schemas"]["TaskRecord"] | components["schemas"]["MissingTask"])[];
            };
            getTask: {
                /** @constant */
                code: 200;
                data: components["schemas"]["ShownTaskRecord"];
            };
            getLineage: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Lineage"];
            };
            cancelTask: {
                /** @constant */
                code: 200;
                data: components["schemas"]["CancelledTask"];
            };
            getMusicTask: {
                /** @constant */
                code: 200;
                data: components["schemas"]["MusicTaskRecord"];
            };
            createEstimate: components["schemas"]["EstimateAnswer"];
            uploadImage: {
                url: string;
                filename: string;
                content_type: string;
                bytes: number;
                width: number;
                height: number;
                /** @description When it was sent, in Unix seconds. */
                created_at: number;
                /** @description When the link ends, in Unix seconds. */
                expires_at: number;
            };
            createFile: {
                /** @constant */
                code: 200;
                data: components["schemas"]["FileRecord"];
            };
            listFiles: {
                /** @constant */
                code: 200;
                data: components["schemas"]["FileRecord"][];
                /** @description Send it as `cursor` for the next page; null: this is the last. */
                next_cursor: string | null;
                has_more: boolean;
            };
            announceFile: {
                /** @constant */
                code: 200;
                data: {
                    /** @description Id of the file once the upload is completed. */
                    id: string;
                    /** @enum {string} */
                    method: "PUT";
                    url: string;
                    headers: {
                        [key: string]: string;
                    };
                    /** @description When the link ends, in Unix seconds. */
                    expires_at: number;
                };
            };
            completeFile: {
                /** @constant */
                code: 200;
                data: components["schemas"]["FileRecord"];
            };
            getFileRecord: {
                /** @constant */
                code: 200;
                data: components["schemas"]["FileRecord"];
            };
            deleteFile: {
                /** @constant */
                code: 200;
                data: {
                    id: string;
                    /** @constant */
                    deleted: true;
                };
            };
            verifyFile: {
                /** @constant */
                code: 200;
                data: components["schemas"]["FileOrigin"];
            };
            getKeyBalance: components["schemas"]["Balance"] | components["schemas"]["MissingBalance"];
            getKeyBalanceTwin: components["schemas"]["Balance"] | components["schemas"]["MissingBalance"];
            getAccountBalance: components["schemas"]["Balance"] | components["schemas"]["MissingBalance"];
            getAccountBalanceTwin: components["schemas"]["Balance"] | components["schemas"]["MissingBalance"];
            listLedger: {
                /** @constant */
                code: 200;
                data: components["schemas"]["LedgerEntry"][];
                /** @description Send it as `cursor` for the next page; null: this is the last. */
                next_cursor: string | null;
                has_more: boolean;
                /** @description Unix seconds. Entries of tasks that ended before may be removed; null: none are. */
                complete_since: number | null;
            };
            getInvoice: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Invoice"];
            };
            getUsage: {
                /** @constant */
                code: 200;
                data: ({
                    /** @description Submitted in the time. */
                    tasks: number;
                    /** @description Tasks of these that completed. */
                    completed: number;
                    /** @description Tasks of these that failed. */
                    failed: number;
                    /** @description Currency units that the completed ones cost. */
                    charged: number;
                } & {
                    [key: string]: string | null;
                })[];
                /** @description The sums of all groups. */
                total: {
                    /** @description Submitted in the time. */
                    tasks: number;
                    /** @description Tasks of these that completed. */
                    completed: number;
                    /** @description Tasks of these that failed. */
                    failed: number;
                    /** @description Currency units that the completed ones cost. */
                    charged: number;
                };
            };
            createKey: {
                /** @constant */
                code: 200;
                data: components["schemas"]["ApiKey"];
            };
            listKeys: {
                /** @constant */
                code: 200;
                data: components["schemas"]["ApiKey"][];
                /** @description Send it as `cursor` for the next page; null: this is the last. */
                next_cursor: string | null;
                has_more: boolean;
            };
            updateKey: {
                /** @constant */
                code: 200;
                data: components["schemas"]["ApiKey"];
            };
            revokeKey: {
                /** @constant */
                code: 200;
                data: components["schemas"]["ApiKey"];
            };
            listDeliveries: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Delivery"][];
            };
            redeliver: {
                /** @constant */
                code: 202;
                data: components["schemas"]["Delivery"];
            };
            redeliverMany: {
                /** @constant */
                code: 202;
                data: {
                    /** @description How many are due again. One answer looks at 5,000 callbacks, so that it may be none while `has_more` is true. */
                    redelivered: number;
                    /** @description Send it as `cursor`; null: there are no others. */
                    next_cursor: string | null;
                    has_more: boolean;
                };
            };
            testWebhook: {
                /** @constant */
                code: 200;
                data: {
                    delivered: boolean;
                    /** @description HTTP status of the answer; null: there was none. */
                    status: number | null;
                    /** @description Why it is not delivered: `http_500`, or a word and what it means; null: it is. */
                    error: string | null;
                    /** @description 0: nothing was sent. */
                    duration_ms: number;
                };
            };
            getWebhookSecret: {
                /** @constant */
                code: 200;
                data: {
                    /** @description `whsec_` and 32 bytes in base64. */
                    secret: string;
                    /** @description Time until which callbacks are also signed by the previous secret; null: they are not, in Unix seconds. */
                    previous_valid_until: number | null;
                };
            };
            rotateWebhookSecret: {
                /** @constant */
                code: 200;
                data: {
                    /** @description `whsec_` and 32 bytes in base64. */
                    secret: string;
                    /** @description Time until which callbacks are also signed by the previous secret; null: they are not, in Unix seconds. */
                    previous_valid_until: number | null;
                };
            };
            listNotices: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Notice"][];
                /** @description Send it as `cursor` for the next page; null: this is the last. */
                next_cursor: string | null;
                has_more: boolean;
            };
            listNoticeTargets: {
                /** @constant */
                code: 200;
                data: components["schemas"]["NoticeTarget"][];
            };
            createNoticeTarget: {
                /** @constant */
                code: 201;
                data: components["schemas"]["NoticeTarget"];
            };
            updateNoticeTarget: {
                /** @constant */
                code: 200;
                data: components["schemas"]["NoticeTarget"];
            };
            removeNoticeTarget: {
                /** @constant */
                code: 200;
                data: {
                    id: string;
                };
            };
            testNoticeTarget: {
                /** @constant */
                code: 202;
                data: components["schemas"]["NoticeTarget"];
            };
            getNoticeSettings: {
                /** @constant */
                code: 200;
                data: components["schemas"]["NoticeSettings"];
            };
            updateNoticeSettings: {
                /** @constant */
                code: 200;
                data: components["schemas"]["NoticeSettings"];
            };
            listModels: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Model"][];
            };
            getModel: {
                /** @constant */
                code: 200;
                data: components["schemas"]["DescribedModel"];
            };
            adminGetOperator: {
                /** @constant */
                code: 200;
                data: {
                    id: string;
                    name: string;
                    /** @enum {string} */
                    role: "read" | "support" | "billing" | "admin";
                };
            };
            adminListActions: {
                /** @constant */
                code: 200;
                data: {
                    id: string;
                    /** @description When it was done, in Unix seconds. */
                    created: number;
                    /** @description `operator:<id of the token>`, `cli:<user>`, or `key:<id>`, of a caller. */
                    actor: string;
                    /** @description The e-mail address of the user behind it, else the name of the token or key, or who ran the command line. Null: it has none. */
                    actor_name: string | null;
                    /** @description For example `account.suspend`. */
                    action: string;
                    /** @description Id of what was changed. */
                    subject: string;
                    /** @description What it is the id of; of a price the billing key. */
                    subject_kind: string;
                    reason: string | null;
                    /** @description State before the change, as its own route shows it; null: there was none, or it was not kept. */
                    before: {
                        [key: string]: unknown;
                    } | null;
                    /** @description State after the change. A booking has the `entry` of the ledger; a price of `file` is null. */
                    after: {
                        [key: string]: unknown;
                    } | null;
                    /** @description What else was kept. */
                    detail?: {
                        [key: string]: unknown;
                    };
                }[];
                /** @description Send it as `cursor` for the next page; null: this is the last. */
                next_cursor: string | null;
                has_more: boolean;
            };
            adminListAccounts: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Account"][];
                /** @description Send it as `cursor` for the next page; null: this is the last. */
                next_cursor: string | null;
                has_more: boolean;
            };
            adminCreateAccount: {
                /** @constant */
                code: 201;
                data: components["schemas"]["Account"];
            };
            adminGetAccount: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Account"];
            };
            adminUpdateAccount: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Account"];
            };
            adminSuspendAccount: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Account"];
            };
            adminResumeAccount: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Account"];
            };
            adminCloseAccount: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Account"];
            };
            adminTopUpAccount: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Account"];
            };
            adminAdjustAccount: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Account"];
            };
            adminListLedger: {
                /** @constant */
                code: 200;
                data: components["schemas"]["OperatorLedgerEntry"][];
                /** @description Send it as `cursor` for the next page; null: this is the last. */
                next_cursor: string | null;
                has_more: boolean;
                /** @description Unix seconds. Entries of tasks that ended before may be removed; null: none are. */
                complete_since: number | null;
            };
            adminGetInvoice: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Invoice"];
            };
            adminRefundTask: {
                /** @constant */
                code: 200;
                data: {
                    task_id: string;
                    account_id: string;
                    /** @description Currency units that the task was charged. */
                    charged: number;
                    /** @description Currency units that were refunded. */
                    refunded: number;
                    /** @description Balance of the account after the refund. */
                    balance: number;
                };
            };
            adminGetUsage: {
                /** @constant */
                code: 200;
                data: ({
                    /** @description Tasks submitted in the time, without those of test keys. */
                    tasks: number;
                    /** @description Tasks of these that completed. */
                    completed: number;
                    /** @description Tasks of these that failed. */
                    failed: number;
                    /** @description Currency units that accounts were charged for the completed tasks. */
                    charged: number;
                    /** @description Currency units of these that were refunded by hand. */
                    refunded: number;
                    /** @description Currency units that vendors charge, as far as that is known, for failed ones too. */
                    cost: number;
                    /** @description Ended tasks with an unknown cost; no sum includes it. */
                    cost_unknown: number;
                    /** @description `charged` less `refunded` less `cost`; null where `cost_unknown` is above 0: it would be too high. */
                    margin: number | null;
                    /** @description What was charged for, by unit of the price list, in what its price is for: `image_output` in millions of tokens. */
                    units?: {
                        [key: string]: number;
                    };
                } & {
                    [key: string]: string | null;
                })[];
                /** @description The sums of all groups. */
                total: {
                    /** @description Tasks submitted in the time, without those of test keys. */
                    tasks: number;
                    /** @description Tasks of these that completed. */
                    completed: number;
                    /** @description Tasks of these that failed. */
                    failed: number;
                    /** @description Currency units that accounts were charged for the completed tasks. */
                    charged: number;
                    /** @description Currency units of these that were refunded by hand. */
                    refunded: number;
                    /** @description Currency units that vendors charge, as far as that is known, for failed ones too. */
                    cost: number;
                    /** @description Ended tasks with an unknown cost; no sum includes it. */
                    cost_unknown: number;
                    /** @description `charged` less `refunded` less `cost`; null where `cost_unknown` is above 0: it would be too high. */
                    margin: number | null;
                };
            };
            adminListKeys: {
                /** @constant */
                code: 200;
                data: components["schemas"]["ApiKey"][];
                /** @description Send it as `cursor` for the next page; null: this is the last. */
                next_cursor: string | null;
                has_more: boolean;
            };
            adminCreateKey: {
                /** @constant */
                code: 201;
                data: components["schemas"]["ApiKey"];
            };
            adminUpdateKey: {
                /** @constant */
                code: 200;
                data: components["schemas"]["ApiKey"];
            };
            adminRotateKey: {
                /** @constant */
                code: 200;
                data: components["schemas"]["ApiKey"];
            };
            adminRevokeKey: {
                /** @constant */
                code: 200;
                data: components["schemas"]["ApiKey"];
            };
            adminListUsers: {
                /** @constant */
                code: 200;
                data: components["schemas"]["User"][];
                /** @description Send it as `cursor` for the next page; null: this is the last. */
                next_cursor: string | null;
                has_more: boolean;
            };
            adminInviteUser: {
                /** @constant */
                code: 201;
                data: components["schemas"]["InvitedUser"];
            };
            adminGetUser: {
                /** @constant */
                code: 200;
                data: components["schemas"]["User"];
            };
            adminUpdateUser: {
                /** @constant */
                code: 200;
                data: components["schemas"]["User"];
            };
            adminDisableUser: {
                /** @constant */
                code: 200;
                data: components["schemas"]["User"];
            };
            adminEnableUser: {
                /** @constant */
                code: 200;
                data: components["schemas"]["User"];
            };
            adminEndUserSessions: {
                /** @constant */
                code: 200;
                data: components["schemas"]["User"];
            };
            adminResetUserSecondFactor: {
                /** @constant */
                code: 200;
                data: components["schemas"]["User"];
            };
            adminResetUser: {
                /** @constant */
                code: 200;
                data: components["schemas"]["InvitedUser"];
            };
            adminInviteUserAgain: {
                /** @constant */
                code: 200;
                data: components["schemas"]["InvitedUser"];
            };
            adminDeleteUser: {
                /** @constant */
                code: 200;
                data: {
                    id: string;
                    /** @constant */
                    deleted: true;
                };
            };
            adminListAudits: {
                /** @constant */
                code: 200;
                data: {
                    /** @description `audit_` and a number. */
                    id: string;
                    /** @enum {string} */
                    state: "waiting" | "running" | "ended";
                    /** @description Time at which somebody asked for it, in Unix seconds; null: it was not, yet. */
                    requested_at: number | null;
                    /** @description `operator:<id of the token>`, or `cli:<user>` of `npx mediagate audit`; null: it was scheduled. */
                    requested_by: string | null;
                    /** @description When it began, in Unix seconds; null: it was not, yet. */
                    started_at: number | null;
                    /** @description When it ended, in Unix seconds; null: it was not, yet. */
                    ended_at: number | null;
                    /** @description Whether it covers the whole books, like every audit that was asked for; false: a scheduled audit of long books, which covers what was booked since they were sealed, and every sum. */
                    whole: boolean;
                    /** @description Every invariant holds; null: it has not ended. */
                    clean: boolean | null;
                    /** @description At most 100 of each invariant. */
                    violations: {
                        invariant: string;
                        /** @description The row at fault. */
                        subject: string;
                        /** @description What is, and what should be. */
                        detail: string;
                    }[];
                }[];
                /** @description Send it as `cursor` for the next page; null: this is the last. */
                next_cursor: string | null;
                has_more: boolean;
            };
            adminRunAudit: {
                /** @constant */
                code: 200;
                data: {
                    /** @description `audit_` and a number. */
                    id: string;
                    /** @enum {string} */
                    state: "waiting" | "running" | "ended";
                    /** @description Time at which somebody asked for it, in Unix seconds; null: it was not, yet. */
                    requested_at: number | null;
                    /** @description `operator:<id of the token>`, or `cli:<user>` of `npx mediagate audit`; null: it was scheduled. */
                    requested_by: string | null;
                    /** @description When it began, in Unix seconds; null: it was not, yet. */
                    started_at: number | null;
                    /** @description When it ended, in Unix seconds; null: it was not, yet. */
                    ended_at: number | null;
                    /** @description Whether it covers the whole books, like every audit that was asked for; false: a scheduled audit of long books, which covers what was booked since they were sealed, and every sum. */
                    whole: boolean;
                    /** @description Every invariant holds; null: it has not ended. */
                    clean: boolean | null;
                    /** @description At most 100 of each invariant. */
                    violations: {
                        invariant: string;
                        /** @description The row at fault. */
                        subject: string;
                        /** @description What is, and what should be. */
                        detail: string;
                    }[];
                };
            };
            adminSearchTasks: {
                /** @constant */
                code: 200;
                data: components["schemas"]["FoundTask"][];
                /** @description Send it as `cursor` for the next page; null: this is the last. */
                next_cursor: string | null;
                has_more: boolean;
            };
            adminGetTask: {
                /** @constant */
                code: 200;
                data: components["schemas"]["TaskHistory"];
            };
            adminShowResult: {
                /** @constant */
                code: 200;
                data: {
                    id: string;
                    result: components["schemas"]["TaskResult"] | null;
                };
            };
            adminRetryTask: {
                /** @constant */
                code: 200;
                data: components["schemas"]["TaskHistory"];
            };
            adminFailTask: {
                /** @constant */
                code: 200;
                data: components["schemas"]["TaskHistory"];
            };
            adminListQuarantine: {
                /** @constant */
                code: 200;
                data: components["schemas"]["QuarantinedAttempt"][];
                /** @description Send it as `cursor` for the next page; null: this is the last. */
                next_cursor: string | null;
                has_more: boolean;
            };
            adminResolveAttempt: {
                /** @constant */
                code: 200;
                data: {
                    id: string;
                    /** @enum {string} */
                    resolution: "paid" | "not_paid";
                };
            };
            adminListDeliveries: {
                /** @constant */
                code: 200;
                data: components["schemas"]["OperatorDelivery"][];
                /** @description Send it as `cursor` for the next page; null: this is the last. */
                next_cursor: string | null;
                has_more: boolean;
            };
            adminRedeliverMany: {
                /** @constant */
                code: 202;
                data: {
                    /** @description How many are due again. One answer looks at 5,000 callbacks, so that it may be none while `has_more` is true. */
                    redelivered: number;
                    /** @description Send it as `cursor`; null: there are no others. */
                    next_cursor: string | null;
                    has_more: boolean;
                };
            };
            adminRedeliver: {
                /** @constant */
                code: 200;
                data: components["schemas"]["OperatorDelivery"];
            };
            adminCancelDelivery: {
                /** @constant */
                code: 200;
                data: components["schemas"]["OperatorDelivery"];
            };
            adminListChannels: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Channel"][];
            };
            adminAddChannel: {
                /** @constant */
                code: 201;
                data: components["schemas"]["Channel"];
            };
            adminGetChannel: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Channel"];
            };
            adminGetChannelHistory: {
                /** @constant */
                code: 200;
                data: components["schemas"]["ChannelHistory"];
            };
            adminProbeChannel: {
                /** @constant */
                code: 200;
                data: components["schemas"]["ProbedChannel"];
            };
            adminUpdateChannel: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Channel"];
            };
            adminRemoveChannel: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Channel"];
            };
            adminDrainChannel: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Channel"];
            };
            adminDisableChannel: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Channel"];
            };
            adminWeighChannel: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Channel"];
            };
            adminResetChannel: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Channel"];
            };
            adminListPrices: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Price"][];
            };
            adminListPriceOverrides: {
                /** @constant */
                code: 200;
                data: components["schemas"]["PriceOverride"][];
                /** @description Send it as `cursor` for the next page; null: this is the last. */
                next_cursor: string | null;
                has_more: boolean;
            };
            adminSetPrice: {
                /** @constant */
                code: 201;
                data: components["schemas"]["PriceOverride"];
            };
            adminVerifyFile: {
                /** @constant */
                code: 200;
                data: components["schemas"]["AnyFileOrigin"];
            };
            adminListQueues: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Queues"];
            };
            adminListTroubles: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Trouble"][];
            };
            adminListSettings: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Settings"];
            };
            adminListNotices: {
                /** @constant */
                code: 200;
                data: components["schemas"]["Notice"][];
                /** @description Send it as `cursor` for the next page; null: this is the last. */
                next_cursor: string | null;
                has_more: boolean;
            };
            adminListNoticeTargets: {
                /** @constant */
                code: 200;
                data: components["schemas"]["NoticeTarget"][];
            };
            adminCreateNoticeTarget: {
                /** @constant */
                code: 201;
                data: components["schemas"]["NoticeTarget"];
            };
            adminUpdateNoticeTarget: {
                /** @constant */
                code: 200;
                data: components["schemas"]["NoticeTarget"];
            };
            adminRemoveNoticeTarget: {
                /** @constant */
                code: 200;
                data: {
                    id: string;
                };
            };
            adminTestNoticeTarget: {
                /** @constant */
                code: 202;
                data: components["schemas"]["NoticeTarget"];
            };
            adminGetNoticeSettings: {
                /** @constant */
                code: 200;
                data: components["schemas"]["OperatorNoticeSettings"];
            };
            adminUpdateNoticeSettings: {
                /** @constant */
                code: 200;
                data: components["schemas"]["OperatorNoticeSettings"];
            };
            adminGetCallbackSchedule: {
                /** @constant */
                code: 200;
                data: components["schemas"]["CallbackSchedule"];
            };
            adminUpdateCallbackSchedule: {
                /** @constant */
                code: 200;
                data: components["schemas"]["CallbackSchedule"];
            };
            adminListSecrets: {
                /** @constant */
                code: 200;
                data: components["schemas"]["VendorSecret"][];
            };
            adminSetSecret: {
                /** @constant */
                code: 200;
                data: components["schemas"]["VendorSecret"];
            };
            adminRemoveSecret: {
                /** @constant */
                code: 200;
                data: {
                    name: string;
                    /** @constant */
                    removed: true;
                };
            };
        };
        /** @description The record of one task, with what was asked for beside it. */
        ShownTaskRecord: {
            /** @description The task’s id: `task_` and 26 characters. */
            id: string;
            /**
             * @description `completed` and `failed` never change.
             * @enum {string}
             */
            status: "submitted" | "pending" | "processing" | "completed" | "failed";
            /** @description 100 once the task has ended. */
            progress: number;
            /** @description When it was submitted, in Unix seconds. */
            created: number;
            model: string;
            kind: string;
            /** @description Currency units charged so far: 0 until the task is completed, and 0 if it failed. */
            cost: number;
            /** @description `cost` in credits. */
            credits_cost: number;
            /** @description Currency units held for it, the most it can cost; 0 once it has ended. */
            reserved: number;
            /**
             * @description Only of a task of a test key: a simulator made it, and it is free.
             * @enum {boolean}
             */
            test?: true;
            /** @description The task whose result this one works on. */
            parent_task_id?: string;
            /** @description `metadata` of the submission. */
            metadata?: {
                [key: string]: unknown;
            };
            next_action?: components["schemas"]["NextAction"];
            /** @description When it ended, in Unix seconds. */
            completed?: number;
            /** @description Seconds from `created` to `completed`; when completed. */
            actual_time?: number;
            result?: components["schemas"]["TaskResult"];
            /** @description `input_tokens`, `output_tokens` and `total_tokens` of images. */
            usage?: {
                [key: string]: unknown;
            };
            error?: components["schemas"]["TaskError"];
            callback?: components["schemas"]["Callback"];
            /** @description What the body came to: the model’s fields, with addresses without their queries. */
            input?: {
                [key: string]: unknown;
            };
            /** @description What was tried, in order. */
            attempts?: {
                /** @description Number of the attempt, from 1. */
                number: number;
                /**
                 * @description `unknown`: its outcome is not known.
                 * @enum {string}
                 */
                state: "starting" | "accepted" | "succeeded" | "refused" | "unknown";
                /** @description Why not, where it came to nothing. */
                reason?: string;
                /** @description When it began, in Unix seconds. */
                started_at: number;
                /** @description Unix seconds; null: under way. */
                ended_at: number | null;
            }[];
            /** @description Of the task alone, the newest first. */
            ledger?: components["schemas"]["LedgerEntry"][];
        };
        /** @description The task waits for its caller: an inpaint for its modal, sent to `path` with this `task_id`. */
        NextAction: {
            type: string;
            /** @constant */
            method: "POST";
            path: string;
            /** @description The task’s id: `task_` and 26 characters. */
            task_id: string;
        };
        TaskResult: {
            images?: {
                /** @description One link a file. */
                url: string[];
                /** @description When the links end, in Unix seconds. */
                expires_at: number;
                /** @description Place in a grid, from 1. */
                index?: number;
            }[];
            videos?: {
                /** @description One link a file. */
                url: string[];
                /** @description When the links end, in Unix seconds. */
                expires_at: number;
                /** @description Seconds. */
                duration?: number;
                width?: number;
                height?: number;
                /** @description An image of it. */
                cover_url?: string;
            }[];
            /** @description The sounds; `music` has them, too. */
            audios?: {
                /** @description One link a file. */
                url: string[];
                /** @description When the links end, in Unix seconds. */
                expires_at: number;
                /** @description Seconds. */
                duration?: number;
            }[];
            /** @description In order, counted from 1. */
            music?: components["schemas"]["MusicTrack"][];
            lyrics?: {
                title?: string;
                text: string;
                tags?: string;
            }[];
            /** @description The first text of the lyrics. */
            text?: string;
            /** @description What the image shows. */
            description?: string;
            /** @description Files whose vendor stated in them where they come from, or that the service marks. */
            provenance?: {
                /** @description The file’s link. */
                url: string;
                sources: components["schemas"]["ProvenanceSource"][];
                mark?: components["schemas"]["ResultMark"];
            }[];
        } & {
            [key: string]: unknown;
        };
        MusicTrack: {
            /** @description Empty where no vendor knows the track. */
            audio_id: string;
            title: string;
            lyrics: string;
            tags: string;
            /** @description Seconds. */
            duration?: number;
            audio_url: string;
            /** @description Cover, or empty. */
            image_url: string;
            video_url?: string;
            /** @description When the links end, in Unix seconds. */
            expires_at: number;
        };
        /** @description One statement of a file about its origin, as it stood in the vendor’s file. */
        ProvenanceSource: {
            /** @description `iptc`: a digital source type in XMP; `gb45438`: the Chinese label. */
            standard: string;
            /** @description The IPTC digital source type, for example `trainedAlgorithmicMedia`. */
            source_type: string | null;
            /** @description Who states it: the organisation of the certificate, the credit, or the producer’s number. */
            issuer: string | null;
            /** @description The program that wrote it. */
            generator: string | null;
            /** @description Of C2PA: the signature fits, and the file that it stood in has the bytes that were signed. It does not say that the certificate is one to trust. Null: not checked, or nothing is signed. */
            valid: boolean | null;
            /** @description Why it is not valid, was not checked, or cannot be read. */
            problem: string | null;
            /** @description The file of this link still has it, or carries it on in a manifest. */
            kept: boolean;
        };
        /** @description The service’s own mark of a file as made by a model. */
        ResultMark: {
            /**
             * @description `written`: as XMP. `signed`: by a manifest of C2PA, in which the vendor’s own is carried on. `unsigned`: as XMP or by the vendor, where it was to be signed. `stated`: the vendor’s file says so itself, and is not touched. `unmarked`: it carries no mark.
             * @enum {string}
             */
            state: "written" | "signed" | "unsigned" | "stated" | "unmarked";
            /** @description The IPTC digital source type that was written; of a manifest that is carried on, the vendor’s. */
            source_type: string | null;
            /** @description Why there is none, or why it is not signed. */
            problem: string | null;
        };
        TaskError: {
            /** @constant */
            code: "task_failed";
            /** @description For people, in the language asked for; may be reworded. */
            message: string;
            /** @constant */
            type: "task_failed";
            /** @description Path of the field at fault, or empty. */
            param: string;
            /** @description Never changes its meaning; new ones may come. */
            reason: string;
        };
        /** @description How the task’s callback stands. */
        Callback: {
            /** @description `webhook` of the submission. */
            url: string;
            /** @description `pending`: will be tried, or tried again; `delivered`: answered 2xx; `rejected`: answered 3xx or 4xx; `exhausted`: every attempt failed; `dropped`: nothing may be sent to this URL. */
            state: string;
            /** @description Requests made so far. */
            attempts: number;
            /** @description HTTP status of the answer; null: there was none. */
            last_status: number | null;
            /** @description What went wrong where there was no answer. */
            last_error: string | null;
            /** @description When it is tried next; null: it is not, or the task has not ended, in Unix seconds. */
            next_attempt_at: number | null;
            /** @description The rule that the URL breaks, where the callback is `dropped`. */
            refused_because: string | null;
        };
        LedgerEntry: {
            id: string;
            /** @description When it was booked, in Unix seconds. */
            created: number;
            /** @description `hold`: the most that a task can cost, at its submission; `settle`: what it cost, the rest of the hold comes back; `refund`: the whole hold comes back. */
            kind: string;
            /** @description Currency units; above zero, but for `adjust`. */
            amount: number;
            /** @description Change of the balance: -`amount` for a hold, what came back for a settlement or refund. */
            change: number;
            /** @description What the account could spend then; null: booked before balances were written down. */
            balance_after: number | null;
            task_id: string | null;
            /**
             * @description Present on tasks of test keys, which are free.
             * @enum {boolean}
             */
            test?: true;
            /** @description The key that submitted the task. */
            key_id: string | null;
        };
        /** @description A task: what polls answer and callbacks carry. */
        TaskRecord: {
            /** @description The task’s id: `task_` and 26 characters. */
            id: string;
            /**
             * @description `completed` and `failed` never change.
             * @enum {string}
             */
            status: "submitted" | "pending" | "processing" | "completed" | "failed";
            /** @description 100 once the task has ended. */
            progress: number;
            /** @description When it was submitted, in Unix seconds. */
            created: number;
            model: string;
            kind: string;
            /** @description Currency units charged so far: 0 until the task is completed, and 0 if it failed. */
            cost: number;
            /** @description `cost` in credits. */
            credits_cost: number;
            /** @description Currency units held for it, the most it can cost; 0 once it has ended. */
            reserved: number;
            /**
             * @description Only of a task of a test key: a simulator made it, and it is free.
             * @enum {boolean}
             */
            test?: true;
            /** @description The task whose result this one works on. */
            parent_task_id?: string;
            /** @description `metadata` of the submission. */
            metadata?: {
                [key: string]: unknown;
            };
            next_action?: components["schemas"]["NextAction"];
            /** @description When it ended, in Unix seconds. */
            completed?: number;
            /** @description Seconds from `created` to `completed`; when completed. */
            actual_time?: number;
            result?: components["schemas"]["TaskResult"];
            /** @description `input_tokens`, `output_tokens` and `total_tokens` of images. */
            usage?: {
                [key: string]: unknown;
            };
            error?: components["schemas"]["TaskError"];
            callback?: components["schemas"]["Callback"];
        };
        MissingTask: {
            /** @description The id that was asked for. */
            id: string;
            /** @constant */
            status: "not_found";
            error: {
                /** @constant */
                code: 404;
                message: string;
                /** @constant */
                type: "not_found";
                /** @constant */
                reason: "not_found";
            };
        };
        Lineage: {
            /** @description The task’s id: `task_` and 26 characters. */
            id: string;
            /** @description Tasks whose results led to this one, the nearest first. */
            ancestors: components["schemas"]["TaskRecord"][];
            /** @description What goes back to it, generation by generation. */
            descendants: components["schemas"]["TaskRecord"][];
            /** @description There are more than are shown. */
            truncated: boolean;
        };
        /** @description A task that was cancelled: `failed`, with the reason `cancelled`. */
        CancelledTask: {
            /** @description The task’s id: `task_` and 26 characters. */
            id: string;
            /**
             * @description `completed` and `failed` never change.
             * @enum {string}
             */
            status: "submitted" | "pending" | "processing" | "completed" | "failed";
            /** @description 100 once the task has ended. */
            progress: number;
            /** @description When it was submitted, in Unix seconds. */
            created: number;
            model: string;
            kind: string;
            /** @description Currency units charged so far: 0 until the task is completed, and 0 if it failed. */
            cost: number;
            /** @description `cost` in credits. */
            credits_cost: number;
            /** @description Currency units held for it, the most it can cost; 0 once it has ended. */
            reserved: number;
            /**
             * @description Only of a task of a test key: a simulator made it, and it is free.
             * @enum {boolean}
             */
            test?: true;
            /** @description The task whose result this one works on. */
            parent_task_id?: string;
            /** @description `metadata` of the submission. */
            metadata?: {
                [key: string]: unknown;
            };
            next_action?: components["schemas"]["NextAction"];
            /** @description When it ended, in Unix seconds. */
            completed?: number;
            /** @description Seconds from `created` to `completed`; when completed. */
            actual_time?: number;
            result?: components["schemas"]["TaskResult"];
            /** @description `input_tokens`, `output_tokens` and `total_tokens` of images. */
            usage?: {
                [key: string]: unknown;
            };
            error?: components["schemas"]["TaskError"];
            callback?: components["schemas"]["Callback"];
            /** @description Currency units that were held for it and no longer are. */
            released: number;
        };
        /** @description A music task: `pending` until it has ended; `progress` 10 queued, 50 at work or ready to be listened to, 100 done. */
        MusicTaskRecord: {
            /** @description The task’s id: `task_` and 26 characters. */
            id: string;
            /** @enum {string} */
            status: "pending" | "completed" | "failed";
            /** @description 100 once the task has ended. */
            progress: number;
            /** @description When it was submitted, in Unix seconds. */
            created: number;
            model: string;
            kind: string;
            /** @description Currency units charged so far: 0 until the task is completed, and 0 if it failed. */
            cost: number;
            /** @description `cost` in credits. */
            credits_cost: number;
            /** @description Currency units held for it, the most it can cost; 0 once it has ended. */
            reserved: number;
            /**
             * @description Only of a task of a test key: a simulator made it, and it is free.
             * @enum {boolean}
             */
            test?: true;
            /** @description The task whose result this one works on. */
            parent_task_id?: string;
            /** @description `metadata` of the submission. */
            metadata?: {
                [key: string]: unknown;
            };
            next_action?: components["schemas"]["NextAction"];
            /** @description When it ended, in Unix seconds. */
            completed?: number;
            /** @description Seconds from `created` to `completed`; when completed. */
            actual_time?: number;
            result?: components["schemas"]["TaskResult"];
            /** @description `input_tokens`, `output_tokens` and `total_tokens` of images. */
            usage?: {
                [key: string]: unknown;
            };
            error?: components["schemas"]["TaskError"];
            callback?: components["schemas"]["Callback"];
        };
        EstimateAnswer: {
            /** @constant */
            code: 200;
            data: components["schemas"]["Estimate"];
        };
        Estimate: {
            /** @description Currency units that the submission would hold: the most that it can cost. */
            reserved: number;
            /** @description What it costs if the model makes what was asked for and does not say what it used. */
            expected: number;
            /** @description Account and key have `reserved` now; of a key of the scope `own` its quota has it. Absent: such a key has no quota. */
            affordable?: boolean;
            unit_prices: {
                /** @description Name of the unit, as in `prices` of the model. */
                unit: string;
                /** @description Currency units of one unit, or of a million tokens. */
                price: number;
                /** @description How many of them are reserved; factors are counted in. */
                quantity: number;
            }[];
            /** @description What would be ignored or changed. */
            warnings: string[];
        };
        FileRecord: {
            /** @description Stands for the file wherever a submission of the account takes a URL. */
            id: string;
            /** @description A link that needs no key, until `expires_at`. */
            url: string;
            kind: string;
            /** @description Found from the bytes of the file, not from its name. */
            content_type: string;
            bytes: number;
            /** @description Pixels, of an image or video. */
            width: number | null;
            /** @description Pixels, of an image or video. */
            height: number | null;
            /** @description Seconds, of audio and video. */
            duration: number | null;
            /** @description Number of pages, where the document says it. */
            pages: number | null;
            /** @description When it was sent, in Unix seconds. */
            created_at: number;
            /** @description When the file is removed, in Unix seconds. */
            expires_at: number;
            /** @description What the file states about its origin: in the answer to `POST /v1/files?include=provenance` alone. */
            provenance?: {
                sources: components["schemas"]["FileSource"][];
            };
        };
        /** @description One statement of a file about its origin. */
        FileSource: {
            /** @description `iptc`: a digital source type in XMP; `gb45438`: the Chinese label. */
            standard: string;
            /** @description The IPTC digital source type, for example `trainedAlgorithmicMedia`. */
            source_type: string | null;
            /** @description Who states it: the organisation of the certificate, the credit, or the producer’s number. */
            issuer: string | null;
            /** @description The program that wrote it. */
            generator: string | null;
            /** @description Of C2PA: the signature fits, and the file that it stood in has the bytes that were signed. It does not say that the certificate is one to trust. Null: not checked, or nothing is signed. */
            valid: boolean | null;
            /** @description Why it is not valid, was not checked, or cannot be read. */
            problem: string | null;
        };
        FileOrigin: {
            /** @description Found from the bytes of the file. */
            content_type: string;
            sources: components["schemas"]["FileSource"][];
            /** @description The most that the file was compared by: what it shows or sounds like; its bytes alone, as of an image or a video of more than 16 megapixels, of what shows a single shade, of a sound of less than three seconds, of what was not read within 20 seconds, and of a video or a sound where the service has no ffmpeg; nothing, where there are no results to compare it with. */
            compared: string;
            /** @description The nearest first, 20 at most. */
            results: components["schemas"]["SimilarResult"][];
        };
        SimilarResult: {
            /** @description Id of the task; its record may already be deleted. */
            task_id: string;
            /** @description The place of the file among those of its task, from 1; covers do not count. */
            output: number;
            kind: string;
            /** @description It is the file as it was delivered. */
            same_bytes: boolean;
            /** @description Of 64 bits, those in which the images or sounds differ: 0 to 6 as a rule where one was made of the other, 10 where an edge was cut off. */
            distance: number;
            /** @description When its task ended, in Unix seconds. */
            created_at: number;
        };
        Balance: {
            /** @constant */
            success: true;
            /** @description Currency units that could still be spent; -1 of a key without a quota. */
            remain_balance: number;
            /** @description The same in credits. */
            remain_credits: number;
            /** @description Currency units that finished tasks have cost. */
            used_balance: number;
            /** @description The same in credits. */
            used_credits: number;
            /** @description Currency units held for tasks that have not ended. `remain_balance` is without them. */
            held_balance: number;
            /** @description The same in credits. */
            held_credits: number;
            unlimited_quota: boolean;
        };
        MissingBalance: {
            /** @constant */
            success: false;
            message: string;
            /** @constant */
            reason: "not_found";
            request_id: string;
        };
        /** @description What was booked on an account in a month. */
        Invoice: {
            account_id: string;
            /** @description The month, in `timezone`. */
            month: string;
            /** @description IANA name of the time zone, or UTC. */
            timezone: string;
            /** @description Nothing is booked in the month any more. */
            final: boolean;
            /** @description What was paid before the month less what was charged before, in currency units. What is held is still the account’s. */
            opening_balance: number;
            /** @description Top-ups. */
            payments: number;
            /** @description Corrections of the account. */
            adjustments: number;
            /** @description Given back by hand, of what was charged in this month or before. */
            refunds: number;
            /** @description Sum of all lines. */
            charges: number;
            /** @description The opening balance with payments, adjustments and refunds, less the charges. */
            closing_balance: number;
            /** @description Lines by model. */
            lines: {
                /** @description Null: charged by a release that did not keep it. */
                model: string | null;
                /** @description Completed in the month. */
                tasks: number;
                /** @description Currency units. */
                charged: number;
                /** @description What was charged for, by unit of the price list, in what its price is for: `image_output` in millions of tokens. */
                units: {
                    [key: string]: number;
                };
            }[];
        };
        /** @description Includes the limits of the key that made it, where those are stricter. */
        ApiKey: {
            /** @description The 12 characters after `mg_`. */
            id: string;
            /** @description The key itself: only in the answer that makes it. */
            key?: string;
            /** @description In answers to operators. */
            account_id?: string;
            name: string;
            /**
             * @description `test`: its tasks are free and made by a simulator.
             * @enum {string}
             */
            mode: "live" | "test";
            /** @description The end of the key. */
            last_four: string;
            /** @description Currency units that it may spend in all; null: no limit. */
            quota: number | null;
            /** @description Currency units that it, with the keys that it made, has spent and reserved. */
            quota_used: number;
            /** @description Currency units that are left of its quota, or of that of the key that made it, if these are fewer; null: no limit. */
            quota_left: number | null;
            /** @description Empty: all. */
            families: string[];
            /** @description Empty: all. */
            models: string[];
            submit_per_minute: number;
            query_per_minute: number;
            /** @description Tasks of one family that run at once; null: no limit. */
            max_concurrent: number | null;
            /** @description It has the right `manage`. */
            manage: boolean;
            /** @description `own`: it sees what it made itself and what its own keys made; `account`: all of the account. */
            scope: string;
            /** @description Id of the key that made it; null: the operator did. */
            made_by: string | null;
            /** @description When it was made, in Unix seconds. */
            created: number;
            /** @description When it ends; null: it does not, in Unix seconds. */
            expires_at: number | null;
            /** @description When it was last used, give or take a minute; null: not yet, in Unix seconds. */
            last_used_at: number | null;
            /** @description When it was revoked; null: it was not, in Unix seconds. */
            revoked_at: number | null;
        };
        Delivery: {
            id: string;
            task_id: string;
            /** @description `webhook` of the submission. */
            url: string;
            /** @description `pending`: will be tried, or tried again; `delivered`: answered 2xx; `rejected`: answered 3xx or 4xx; `exhausted`: every attempt failed; `dropped`: nothing may be sent to this URL. */
            state: string;
            /** @description Why it is not delivered: a status as `http_500`, or a word as `timeout`. */
            reason: string | null;
            /** @description When the task ended, in Unix seconds. */
            created: number;
            /** @description When it is tried next; null: it is not, or the task has not ended, in Unix seconds. */
            next_attempt_at: number | null;
            /** @description The newest 100, in order. */
            attempts: {
                /** @description Number of the attempt, from 1. */
                number: number;
                /** @description When it was sent, in Unix seconds. */
                started_at: number;
                /** @description When it ended; null: it is under way, or its outcome was lost, in Unix seconds. */
                ended_at: number | null;
                /** @description HTTP status of the answer; null: there was none. */
                status: number | null;
                /** @description What went wrong where there was no answer. */
                error: string | null;
            }[];
        };
        Notice: {
            /** @description The same for as long as the condition stands. */
            id: string;
            kind: string;
            state: string;
            /** @description Id of the account, key or channel, with a model’s behind a space where the channel fails for that alone; `books` of an audit. */
            subject: string;
            account_id: string | null;
            /** @description The percentage that `key_quota` reached; 0 for other kinds. */
            level: number;
            /** @description Time at which the condition began, in Unix seconds with milliseconds. */
            since: number;
            ended_at: number | null;
            /** @description A sentence, in the language of `Accept-Language`. */
            text: string;
            /** @description What the sentence says, for programs; amounts in currency units. */
            figures: {
                [key: string]: unknown;
            };
            reported_at: number | null;
        };
        NoticeTarget: {
            id: string;
            medium: string;
            /** @description Only the origin of a URL is shown: whoever knows the rest can write there. */
            address: string;
            /** @description Empty: all. */
            kinds: string[];
            language: string;
            /** @description When it was made, in Unix seconds with milliseconds. */
            created: number;
            /** @description False: no user of the account is proven to have this email address, so nothing is sent. */
            reachable: boolean;
            last_message: {
                state: string;
                reason: string | null;
                /** @description When it was written, in Unix seconds with milliseconds. */
                created: number;
            } | null;
            /** @description Signs what an operators’ webhook gets: only in the answer that makes the target. Those of an account are signed by the secret of its callbacks. */
            secret?: string;
        };
        NoticeSettings: {
            /** @description Less than so many currency units is low; 0: never. By default 1. */
            low_balance: number;
            /** @description Percentages of a key’s quota at which a notice is sent. By default 80 and 95. */
            key_quota_percents: number[];
            /** @description Callbacks that were not delivered within an hour, and no more that were. By default 5. */
            callbacks_failed: number;
            /** @description What stands is told again after so long; 0: never. By default 1440. */
            repeat_minutes: number;
            /** @description What is over and begins again within so long is not told anew before it has passed. By default 60. */
            quiet_minutes: number;
            /** @description Names of those that were set here; the others are those of operators, or the defaults. */
            set: string[];
        };
        Model: {
            id: string;
            aliases: string[];
            family: string;
            kind: string;
            /** @description What it is offered for: `images.generations`, `music.extend`, … */
            operation: string;
            /** @description This service offers it now. */
            available: boolean;
            /** @description Currency units by unit or billing key. */
            prices: {
                [key: string]: number;
            };
            result_lifetime_hours: number;
            unsupported_parameters: string[];
        };
        DescribedModel: {
            id: string;
            aliases: string[];
            family: string;
            kind: string;
            /** @description What it is offered for: `images.generations`, `music.extend`, … */
            operation: string;
            /** @description This service offers it now. */
            available: boolean;
            /** @description Currency units by unit or billing key. */
            prices: {
                [key: string]: number;
            };
            result_lifetime_hours: number;
            unsupported_parameters: string[];
            /** @description JSON Schema of the body. */
            schema: {
                [key: string]: unknown;
            };
            examples: {
                [key: string]: unknown;
            }[];
            /** @description All of them, where it has several; at the top stands the first. */
            operations?: {
                id: string;
                aliases: string[];
                family: string;
                kind: string;
                /** @description What it is offered for: `images.generations`, `music.extend`, … */
                operation: string;
                /** @description This service offers it now. */
                available: boolean;
                /** @description Currency units by unit or billing key. */
                prices: {
                    [key: string]: number;
                };
                result_lifetime_hours: number;
                unsupported_parameters: string[];
                /** @description JSON Schema of the body. */
                schema: {
                    [key: string]: unknown;
                };
                examples: {
                    [key: string]: unknown;
                }[];
            }[];
        };
        /** @description An account, as operators see it. */
        Account: {
            /** @description `acct_` and 26 characters. */
            id: string;
            name: string;
            /**
             * @description `suspended` takes no new work, `closed` neither work nor payments.
             * @enum {string}
             */
            state: "active" | "suspended" | "closed";
            /** @description Currency units that it can spend. */
            balance: number;
            /** @description Held for tasks that have not ended. */
            held: number;
            /** @description What finished tasks have cost. */
            settled: number;
            /** @description Requests of all its keys that create something a minute; null: no limit. */
            submit_per_minute: number | null;
            /** @description Requests of all its keys that read a minute; null: no limit. */
            query_per_minute: number | null;
            /**
             * @description Its share of the turns of tasks that wait beyond `DISPATCH_WINDOW`: 1, 3 or 9 tasks a turn.
             * @enum {string}
             */
            priority_class: "low" | "normal" | "high";
            /**
             * @description How its results are marked as made by a model; null: as the configuration says.
             * @enum {unknown}
             */
            marks: "off" | "metadata" | "signed" | null;
            /**
             * @description What becomes of a result that cannot be marked so; null: as the configuration says.
             * @enum {unknown}
             */
            unmarked: "deliver" | "fail" | null;
            /** @description When it was opened, in Unix seconds. */
            created: number;
        };
        OperatorLedgerEntry: {
            id: string;
            /** @description When it was booked, in Unix seconds. */
            created: number;
            /** @description `hold`: the most that a task can cost, at its submission; `settle`: what it cost, the rest of the hold comes back; `refund`: the whole hold comes back. */
            kind: string;
            /** @description Currency units; above zero, but for `adjust`. */
            amount: number;
            /** @description Change of the balance: -`amount` for a hold, what came back for a settlement or refund. */
            change: number;
            /** @description What the account could spend then; null: booked before balances were written down. */
            balance_after: number | null;
            task_id: string | null;
            /**
             * @description Present on tasks of test keys, which are free.
             * @enum {boolean}
             */
            test?: true;
            /** @description The key that submitted the task. */
            key_id: string | null;
            /** @description Reference of a payment. */
            reference: string | null;
            /** @description Why it was booked by hand, or the note of a payment. */
            reason: string | null;
        };
        User: {
            /** @description `usr_` and 26 characters. */
            id: string;
            /** @description E-mail address by which the user signs in, in lower case. */
            email: string;
            name: string;
            /**
             * @description Whether the user is an operator or belongs to an account.
             * @enum {string}
             */
            kind: "operator" | "account";
            /**
             * @description What they may do.
             * @enum {string}
             */
            role: "read" | "support" | "billing" | "admin" | "owner" | "developer" | "viewer";
            /** @description Null: an operator. */
            account_id: string | null;
            /** @description Null: an operator. */
            account_name: string | null;
            /** @description They have a second factor. */
            totp: boolean;
            /** @description False: they are invited, and have not signed in nor set a password. */
            joined: boolean;
            /** @description When they were invited first, in Unix seconds. */
            created: number;
            /** @description Time of the last sign-in, in Unix seconds; null: never. */
            last_signed_in_at: number | null;
            /** @description Time at which the user was disabled, in Unix seconds; null: never. */
            disabled_at: number | null;
        };
        InvitedUser: {
            /** @description `usr_` and 26 characters. */
            id: string;
            /** @description E-mail address by which the user signs in, in lower case. */
            email: string;
            name: string;
            /**
             * @description Whether the user is an operator or belongs to an account.
             * @enum {string}
             */
            kind: "operator" | "account";
            /**
             * @description What they may do.
             * @enum {string}
             */
            role: "read" | "support" | "billing" | "admin" | "owner" | "developer" | "viewer";
            /** @description Null: an operator. */
            account_id: string | null;
            /** @description Null: an operator. */
            account_name: string | null;
            /** @description They have a second factor. */
            totp: boolean;
            /** @description False: they are invited, and have not signed in nor set a password. */
            joined: boolean;
            /** @description When they were invited first, in Unix seconds. */
            created: number;
            /** @description Time of the last sign-in, in Unix seconds; null: never. */
            last_signed_in_at: number | null;
            /** @description Time at which the user was disabled, in Unix seconds; null: never. */
            disabled_at: number | null;
            /** @description Lets whoever has it set the password of the user, once. Earlier ones have ended. */
            invitation?: {
                /** @description The link is `<address of the console>/invitation#<token>`. */
                token: string;
                /** @description In Unix seconds. */
                expires_at: number;
            };
        };
        FoundTask: {
            /** @description The task’s id: `task_` and 26 characters. */
            id: string;
            /**
             * @description `completed` and `failed` never change.
             * @enum {string}
             */
            status: "submitted" | "pending" | "processing" | "completed" | "failed";
            /** @description 100 once the task has ended. */
            progress: number;
            /** @description When it was submitted, in Unix seconds. */
            created: number;
            model: string;
            kind: string;
            /** @description Currency units charged so far: 0 until the task is completed, and 0 if it failed. */
            cost: number;
            /** @description `cost` in credits. */
            credits_cost: number;
            /** @description Currency units held for it, the most it can cost; 0 once it has ended. */
            reserved: number;
            /**
             * @description Only of a task of a test key: a simulator made it, and it is free.
             * @enum {boolean}
             */
            test?: true;
            /** @description The task whose result this one works on. */
            parent_task_id?: string;
            /** @description `metadata` of the submission. */
            metadata?: {
                [key: string]: unknown;
            };
            next_action?: components["schemas"]["NextAction"];
            /** @description When it ended, in Unix seconds. */
            completed?: number;
            /** @description Seconds from `created` to `completed`; when completed. */
            actual_time?: number;
            /** @description `input_tokens`, `output_tokens` and `total_tokens` of images. */
            usage?: {
                [key: string]: unknown;
            };
            error?: components["schemas"]["TaskError"];
            callback?: components["schemas"]["Callback"];
            account_id: string;
            key_id: string;
            family: string;
            request_id: string | null;
        };
        TaskHistory: {
            /** @description The task’s id: `task_` and 26 characters. */
            id: string;
            /**
             * @description `completed` and `failed` never change.
             * @enum {string}
             */
            status: "submitted" | "pending" | "processing" | "completed" | "failed";
            /** @description 100 once the task has ended. */
            progress: number;
            /** @description When it was submitted, in Unix seconds. */
            created: number;
            model: string;
            kind: string;
            /** @description Currency units charged so far: 0 until the task is completed, and 0 if it failed. */
            cost: number;
            /** @description `cost` in credits. */
            credits_cost: number;
            /** @description Currency units held for it, the most it can cost; 0 once it has ended. */
            reserved: number;
            /**
             * @description Only of a task of a test key: a simulator made it, and it is free.
             * @enum {boolean}
             */
            test?: true;
            /** @description The task whose result this one works on. */
            parent_task_id?: string;
            /** @description `metadata` of the submission. */
            metadata?: {
                [key: string]: unknown;
            };
            next_action?: components["schemas"]["NextAction"];
            /** @description When it ended, in Unix seconds. */
            completed?: number;
            /** @description Seconds from `created` to `completed`; when completed. */
            actual_time?: number;
            /** @description `input_tokens`, `output_tokens` and `total_tokens` of images. */
            usage?: {
                [key: string]: unknown;
            };
            error?: components["schemas"]["TaskError"];
            callback?: components["schemas"]["Callback"];
            account_id: string;
            key_id: string;
            family: string;
            request_id: string | null;
            /** @description Failed steps that count against the task. */
            failed_steps: number;
            /** @description When a worker is wanted next, in Unix seconds with milliseconds. */
            next_step_at: number;
            lease_until: number | null;
            /** @description When it fails unless it has ended, in Unix seconds with milliseconds. */
            deadline_at: number;
            reservation: {
                state: string;
                /** @description What was held, in currency units. */
                amount: number;
                settled: number | null;
                /** @description When it is given back at the latest, in Unix seconds with milliseconds. */
                expires_at: number;
                resolved_at: number | null;
            } | null;
            /** @description The entries, as `GET /v1/ledger` lists them. */
            ledger: components["schemas"]["LedgerEntry"][];
            attempts: {
                id: string;
                /** @description Number of the attempt, from 1. */
                number: number;
                channel: string;
                protocol: string;
                state: string;
                external_id: string | null;
                fault: string | null;
                detail: string | null;
                /** @description Ids by which the vendor knows the calls. */
                request_ids: string[];
                usage: {
                    [key: string]: unknown;
                } | null;
                answer: string | null;
                resolution: string | null;
                cost: number | null;
                cost_origin: string | null;
                /** @description When it began, in Unix seconds with milliseconds. */
                started_at: number;
                ended_at: number | null;
            }[];
            delivery: {
                id: string;
                url: string;
                state: string;
                reason: string | null;
                /** @description When the task ended, in Unix seconds with milliseconds. */
                created: number;
                ended_at: number | null;
                attempts: {
                    /** @description Number of the attempt, from 1. */
                    number: number;
                    /** @description When it was sent, in Unix seconds with milliseconds. */
                    started_at: number;
                    ended_at: number | null;
                    status: number | null;
                    error: string | null;
                }[];
            } | null;
            /** @description All of it in the order of time. */
            timeline: {
                /** @description Time of the event, in Unix seconds with milliseconds. */
                at: number;
                event: string;
                channel?: string;
                /** @description Number of the attempt, or of the callback’s request. */
                number?: number;
                /** @description How the attempt or request ended: a state, a fault, or a status such as `http_500`. */
                outcome?: string;
                /** @description Amount of the ledger entry, in currency units. */
                amount?: number;
            }[];
        };
        QuarantinedAttempt: {
            id: string;
            task_id: string;
            account_id: string;
            family: string;
            model: string;
            channel: string;
            protocol: string;
            /** @description The task was made with a test key: nothing was charged, and no vendor was called. */
            test: boolean;
            external_id: string | null;
            fault: string | null;
            detail: string | null;
            request_ids: string[];
            usage: {
                [key: string]: unknown;
            } | null;
            cost: number | null;
            /** @description What the account got back, in currency units. */
            refunded: number;
            /** @description When it began, in Unix seconds with milliseconds. */
            started_at: number;
            ended_at: number | null;
            resolution: string | null;
            resolved_at: number | null;
        };
        OperatorDelivery: {
            id: string;
            task_id: string;
            account_id: string;
            url: string;
            state: string;
            reason: string | null;
            /** @description When the task ended, in Unix seconds with milliseconds. */
            created: number;
            next_attempt_at: number | null;
            ended_at: number | null;
            attempts: {
                /** @description Number of the attempt, from 1. */
                number: number;
                /** @description When it was sent, in Unix seconds with milliseconds. */
                started_at: number;
                ended_at: number | null;
                status: number | null;
                error: string | null;
            }[];
        };
        Channel: {
            id: string;
            protocol: string | null;
            /** @description It serves test keys alone. */
            test: boolean;
            models: string[];
            /** @description Of the models, those whose vendor has announced their end, by `served_until` of its `models`. */
            retirements: {
                model: string;
                /** @description The vendor’s name of it. */
                upstream_model: string;
                /** @description The day, in UTC, at whose beginning the vendor ends it. */
                served_until: string;
                replaced_by: string | null;
                /** @description 0 on the day itself, less after it. */
                days_left: number;
                /** @description `ending`: within 60 days. */
                stage: string;
            }[];
            /** @description What it does now; `removed`: neither the file nor an operator has it any more. */
            state: string;
            weight: number | null;
            priority: number | null;
            max_concurrency: number | null;
            file: {
                state: string;
                weight: number;
            } | null;
            override: {
                state: string | null;
                weight: number | null;
                /** @description All that they have set, as the file would have it. */
                fields: {
                    [key: string]: unknown;
                };
                /** @description The latest of it. */
                set_by: string;
                /** @description Time of the change, in Unix seconds with milliseconds. */
                set_at: number;
                reason: string | null;
            } | null;
            /** @description What is set for later. */
            scheduled: {
                field: string;
                /** @description Null: as the file says. */
                value: unknown;
                /** @description Time from which it applies, in Unix seconds with milliseconds. */
                effective_at: number;
                set_by: string;
                reason: string | null;
            }[];
            /** @description Every field as it counts now, in the words of the file; what is not here has its default. */
            settings: {
                [key: string]: unknown;
            };
            /** @description Why it takes no tasks, whatever its state: what is set over the file does not fit it any more. */
            faults: {
                field: string;
                message: string;
            }[];
            /** @description Open: it keeps failing, and is passed over but for probes. */
            breaker: {
                /** @description Processes that pass it over now. */
                open_in: number;
                since: number | null;
                fault: string | null;
                /** @description Models whose name, or what the channel says of them, the vendor keeps refusing; its other models go on. */
                models: {
                    /** @description Its id. */
                    model: string;
                    /** @description Processes that pass the channel over for it alone. */
                    open_in: number;
                    /** @description Time from which the first of them does so, in Unix seconds with milliseconds. */
                    since: number;
                    fault: string | null;
                }[];
            };
            /** @description Names of its `models` at the vendor that the vendor’s own list did not have when it was last compared, once a day. */
            unlisted: string[];
            /** @description Number of jobs under way there. */
            open_jobs: number;
            /** @description From the attempts that began in the time asked for; if there are more than 200,000, from the newest. */
            recent: {
                attempts: number;
                succeeded: number;
                refused: number;
                /** @description Attempts with an unknown outcome. */
                unknown: number;
                median_ms: number | null;
                p95_ms: number | null;
                /** @description Attempts by what ended them. */
                faults: {
                    [key: string]: number;
                };
                last_succeeded_at: number | null;
                /** @description What accounts were charged for the tasks that it completed, in currency units. */
                charged: number;
                /** @description What the vendor charges for the attempts that have ended, as far as that is known, in currency units. */
                spend: number;
                /** @description Number of these attempts with an unknown cost. */
                cost_unknown: number;
                margin: number | null;
            };
        };
        ChannelHistory: {
            /** @description Beginning of the first part, in Unix seconds with milliseconds. */
            from: number;
            /** @description The length of a part. */
            part_seconds: number;
            /** @description In the order of time, without those in which no attempt began. */
            parts: {
                /** @description Beginning of the part, in Unix seconds with milliseconds. */
                from: number;
                attempts: number;
                succeeded: number;
                refused: number;
                /** @description Attempts with an unknown outcome. */
                unknown: number;
                median_ms: number | null;
                p95_ms: number | null;
                /** @description Attempts by what ended them. */
                faults: {
                    [key: string]: number;
                };
                /** @description There were more attempts: these are the newest of each part. */
                sampled: boolean;
            }[];
            /** @description Sums of all parts for each model, the most used model first. */
            models: {
                model: string;
                attempts: number;
                succeeded: number;
                refused: number;
                /** @description Attempts with an unknown outcome. */
                unknown: number;
                median_ms: number | null;
                p95_ms: number | null;
                /** @description Attempts by what ended them. */
                faults: {
                    [key: string]: number;
                };
                /** @description There were more attempts: these are the newest of each part. */
                sampled: boolean;
            }[];
        };
        ProbedChannel: {
            reachable: boolean | null;
            /** @description `unproved`: the answer shows nothing of it. `absent`: the answering process does not have it, and asked nobody. */
            key: string;
            /** @description What was answered, or why nobody was asked. */
            detail: string;
            upstream_models: {
                /** @description The vendor’s name. */
                name: string;
                /** @description The vendor lists it. */
                known: boolean;
                served_until: string | null;
            }[] | null;
            balance: string | null;
            /** @description How long the answer took. */
            took_ms: number;
        };
        Price: {
            /** @description The billing key, as in `prices` of the configuration file. */
            key: string;
            model: string;
            /** @description `per_task`: of a whole task. */
            unit: string;
            /** @description Price of one unit, in currency units. */
            price: number;
            /** @description Where the price comes from. */
            origin: string;
            changes_at: number | null;
        };
        PriceOverride: {
            id: string;
            /** @description The billing key. */
            key: string;
            price: number | {
                [key: string]: number;
            } | null;
            /** @description Time from which it applies, in Unix seconds with milliseconds. */
            effective_at: number;
            set_by: string;
            reason: string | null;
            /** @description When it was set, in Unix seconds with milliseconds. */
            created: number;
        };
        AnyFileOrigin: {
            /** @description Found from the bytes of the file. */
            content_type: string;
            sources: components["schemas"]["FileSource"][];
            /** @description The most that the file was compared by: what it shows or sounds like; its bytes alone, as of an image or a video of more than 16 megapixels, of what shows a single shade, of a sound of less than three seconds, of what was not read within 20 seconds, and of a video or a sound where the service has no ffmpeg; nothing, where there are no results to compare it with. */
            compared: string;
            /** @description The nearest first, 20 at most. */
            results: components["schemas"]["SimilarResultOfAny"][];
        };
        SimilarResultOfAny: {
            /** @description Id of the task; its record may already be deleted. */
            task_id: string;
            /** @description The place of the file among those of its task, from 1; covers do not count. */
            output: number;
            kind: string;
            /** @description It is the file as it was delivered. */
            same_bytes: boolean;
            /** @description Of 64 bits, those in which the images or sounds differ: 0 to 6 as a rule where one was made of the other, 10 where an edge was cut off. */
            distance: number;
            /** @description When its task ended, in Unix seconds. */
            created_at: number;
            /** @description Id of the account that owns the result. */
            account_id: string;
        };
        Queues: {
            families: {
                family: string;
                /** @description False: the API does the work itself. */
                has_queue: boolean;
                /** @description Tasks that nobody has begun. */
                waiting: number;
                /** @description Tasks that have begun and have not ended. */
                running: number;
                /** @description Tasks for which their key, or every channel of their model, has no slot. */
                awaiting_slot: number;
                oldest_seconds: number | null;
                next_due_at: number | null;
                /** @description Tasks taken in within `recent_seconds`. */
                submitted: number;
                /** @description Tasks completed or failed within `recent_seconds`. */
                ended: number;
                jobs: {
                    /** @description Jobs that no worker has taken yet. */
                    waiting: number;
                    /** @description Of them, those of tasks that nobody has begun: at most `DISPATCH_WINDOW`, and what came at once. */
                    starts: number;
                    /** @description Jobs that workers have taken. */
                    active: number;
                    /** @description Jobs for later: the next check of an accepted job, the next attempt of a callback. */
                    delayed: number;
                    /** @description Somebody has paused the queue. */
                    paused: boolean;
                    workers: number | null;
                } | null;
            }[];
            accounts: {
                account_id: string;
                /** @description Tasks that nobody has begun. */
                waiting: number;
                /** @description Tasks that have begun and have not ended. */
                running: number;
            }[];
            callbacks: {
                /** @description Callbacks that have not ended. */
                pending: number;
                /** @description Callbacks that could be sent now and that no process is sending. */
                due: number;
                oldest_seconds: number | null;
                next_due_at: number | null;
                jobs: {
                    /** @description Jobs that no worker has taken yet. */
                    waiting: number;
                    /** @description Of them, those of tasks that nobody has begun: at most `DISPATCH_WINDOW`, and what came at once. */
                    starts: number;
                    /** @description Jobs that workers have taken. */
                    active: number;
                    /** @description Jobs for later: the next check of an accepted job, the next attempt of a callback. */
                    delayed: number;
                    /** @description Somebody has paused the queue. */
                    paused: boolean;
                    workers: number | null;
                } | null;
            };
            /** @description How far back `submitted` and `ended` count: 300, or less where the last 10,000 bookings took less. */
            recent_seconds: number;
            /** @description False: only the rows are known. */
            redis_answers: boolean;
        };
        Trouble: {
            kind: string;
            /** @description As the alerts have it. */
            urgency: string;
            subject: string | null;
            since: number | null;
            /** @description The likely cause, by what was found. */
            cause: string;
            detail: string | null;
            /** @description Tasks, attempts, callbacks, notices or violations; of unknown attempts and notices at most 100. */
            touched: number;
            of: number | null;
            accounts: number | null;
            cost: number | null;
            /** @description The one action that ends the loss, in English. */
            action: string;
            /** @description The file in the repository. */
            runbook: string;
        };
        Settings: {
            /** @description The service that answers. */
            service: string;
            config: {
                path: string;
                /** @description The beginning of the SHA-256 of the file as it was read last. */
                digest: string;
            };
            settings: {
                /** @description A variable, or a field of the file as `webhooks.timeout_seconds`. */
                name: string;
                about: string;
                /** @description References to variables are shown as they are written; null: there is none, or it is a secret. */
                value: unknown;
                secret: boolean;
                /** @description There is a value; of a secret, in the environment of the answering process, which need not have every key. */
                is_set: boolean;
                origin: string;
            }[];
            channels: {
                id: string;
                settings: {
                    /** @description A variable, or a field of the file as `webhooks.timeout_seconds`. */
                    name: string;
                    about: string;
                    /** @description References to variables are shown as they are written; null: there is none, or it is a secret. */
                    value: unknown;
                    secret: boolean;
                    /** @description There is a value; of a secret, in the environment of the answering process, which need not have every key. */
                    is_set: boolean;
                    origin: string;
                }[];
            }[];
        };
        OperatorNoticeSettings: {
            /** @description Less than so many currency units is low; 0: never. By default 1. */
            low_balance: number;
            /** @description Percentages of a key’s quota at which a notice is sent. By default 80 and 95. */
            key_quota_percents: number[];
            /** @description Callbacks that were not delivered within an hour, and no more that were. By default 5. */
            callbacks_failed: number;
            /** @description What stands is told again after so long; 0: never. By default 1440. */
            repeat_minutes: number;
            /** @description What is over and begins again within so long is not told anew before it has passed. By default 60. */
            quiet_minutes: number;
            /** @description A channel that has kept failing for so long is sick. By default 1. */
            channel_minutes: number;
            /** @description Names of those that were set here; the others are those of operators, or the defaults. */
            set: string[];
        };
        CallbackSchedule: {
            /** @description Pauses after each failed attempt, before the next. */
            retry_delays_seconds: number[];
            /** @description Time limit of one attempt. */
            timeout_seconds: number;
            /** @description What the configuration file says. */
            file: {
                retry_delays_seconds: number[];
                timeout_seconds: number;
            };
            override: {
                /** @description What operators have set over it. */
                fields: {
                    [key: string]: unknown;
                };
                /** @description The latest of it. */
                set_by: string;
                /** @description Time of the change, in Unix seconds with milliseconds. */
                set_at: number;
                reason: string | null;
            } | null;
            /** @description What is set for later. */
            scheduled: {
                field: string;
                /** @description Null: as the file says. */
                value: unknown;
                /** @description Time from which it applies, in Unix seconds with milliseconds. */
                effective_at: number;
                set_by: string;
                reason: string | null;
            }[];
        };
        VendorSecret: {
            name: string;
            /** @description Ids of the channels that name it. */
            channels: string[];
            /** @description False: it is sealed under a key that this process does not have. */
            can_be_opened: boolean;
            set_by: string;
            /** @description Time of the change, in Unix seconds with milliseconds. */
            set_at: number;
            reason: string | null;
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
