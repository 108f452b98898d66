// Made by `npm run reference` of the API's description 239350e120420385.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Submissions: {
            "/v1/images/generations": components["schemas"]["imagefast-2.5-flash-image-preview"] | components["schemas"]["imagefast-3.1"] | components["schemas"]["imagegen-2"] | components["schemas"]["imagegen-2.5-flare"] | components["schemas"]["imagegen-2.5-sunburst"] | components["schemas"]["imagegen-2.6-flare"] | components["schemas"]["imagegen-2.6-sunburst"] | components["schemas"]["imageseed-4.0"] | components["schemas"]["imageseed-5.0"];
            "/v1/images/edits": components["schemas"]["imagefast-2.5-flash-image-preview.edit"] | components["schemas"]["imagefast-3.1.edit"] | components["schemas"]["imagegen-2.edit"] | components["schemas"]["imagegen-2.5-flare.edit"] | components["schemas"]["imagegen-2.5-sunburst.edit"] | components["schemas"]["imagegen-2.6-flare.edit"] | components["schemas"]["imagegen-2.6-sunburst.edit"] | components["schemas"]["imageseed-4.0.edit"] | components["schemas"]["imageseed-5.0.edit"];
            "/v1/videos/generations": components["schemas"]["videoa-2.6"] | components["schemas"]["videoa-2.7"] | components["schemas"]["videoa-3.0-video"] | components["schemas"]["videoa-3.0-video-prime"] | components["schemas"]["videob-2.0"] | components["schemas"]["videoc-v4-fast"] | components["schemas"]["videoc-v4-std"] | components["schemas"]["videod-02"] | components["schemas"]["videoe-v3"] | components["schemas"]["videof-3.1"] | components["schemas"]["videof-3.1-fast"] | components["schemas"]["videof-3.1-lite"];
            "/v1/music/generations/adjustSpeed": components["schemas"]["musicgen.adjust-speed"];
            "/v1/music/generations/aligned-lyrics": components["schemas"]["musicgen.aligned-lyrics"];
            "/v1/music/generations/bpm": components["schemas"]["musicgen.bpm"];
            "/v1/music/generations/concat": components["schemas"]["musicgen.concat"];
            "/v1/music/generations/cover": components["schemas"]["musicgen.cover"];
            "/v1/music/generations": components["schemas"]["musicgen.create"] | components["schemas"]["musictrack-2"];
            "/v1/music/generations/crop": components["schemas"]["musicgen.crop"];
            "/v1/music/generations/extend": components["schemas"]["musicgen.extend"];
            "/v1/music/generations/fade": components["schemas"]["musicgen.fade"];
            "/v1/music/generations/lyrics": components["schemas"]["musicgen.lyrics"];
            "/v1/music/generations/midi": components["schemas"]["musicgen.midi"];
            "/v1/music/generations/remaster": components["schemas"]["musicgen.remaster"];
            "/v1/music/generations/remove": components["schemas"]["musicgen.remove"];
            "/v1/music/generations/replace": components["schemas"]["musicgen.replace"];
            "/v1/music/generations/sample": components["schemas"]["musicgen.sample"];
            "/v1/music/generations/sounds": components["schemas"]["musicgen.sounds"];
            "/v1/music/generations/stems": components["schemas"]["musicgen.stems"];
            "/v1/music/generations/upload": components["schemas"]["musicgen.upload"];
            "/v1/audio/sound-effects": components["schemas"]["soundfx-2"];
            "/v1/imgtool/generations/blend": components["schemas"]["imgtool.blend"];
            "/v1/imgtool/generations/describe": components["schemas"]["imgtool.describe"];
            "/v1/imgtool/generations/edits": components["schemas"]["imgtool.edits"];
            "/v1/imgtool/generations/high-variation": components["schemas"]["imgtool.high-variation"];
            "/v1/imgtool/generations": components["schemas"]["imgtool.imagine"];
            "/v1/imgtool/generations/imagine": components["schemas"]["imgtool.imagine"];
            "/v1/imgtool/generations/inpaint": components["schemas"]["imgtool.inpaint"];
            "/v1/imgtool/generations/low-variation": components["schemas"]["imgtool.low-variation"];
            "/v1/imgtool/generations/modal": components["schemas"]["imgtool.modal"];
            "/v1/imgtool/generations/pan": components["schemas"]["imgtool.pan"];
            "/v1/imgtool/generations/remix-strong": components["schemas"]["imgtool.remix-strong"];
            "/v1/imgtool/generations/remix-subtle": components["schemas"]["imgtool.remix-subtle"];
            "/v1/imgtool/generations/reroll": components["schemas"]["imgtool.reroll"];
            "/v1/imgtool/generations/upscale": components["schemas"]["imgtool.upscale"];
            "/v1/imgtool/generations/variation": components["schemas"]["imgtool.variation"];
            "/v1/imgtool/generations/video": components["schemas"]["imgtool.video"];
            "/v1/imgtool/generations/zoom": components["schemas"]["imgtool.zoom"];
        };
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
        };
        /** imagefast-2.5-flash-image-preview */
        "imagefast-2.5-flash-image-preview": {
            /** @enum {string} */
            model: "imagefast-2.5-flash-image-preview" | "imagefast-ext";
            /** @description What the image should show, or what should change in the images given. */
            prompt: string;
            /**
             * @description Default: `"auto"`.
             * @enum {string}
             */
            size?: "auto" | "1:1" | "2:3" | "3:2" | "3:4" | "4:3" | "4:5" | "5:4" | "9:16" | "16:9" | "21:9";
            /** @description How many images to make. Default: `1`. */
            n?: number;
            /** @description Images to work from (PNG, JPEG or WebP): http or https URLs, data URLs, or ids of files (`file_…`). */
            image_urls?: string[];
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Language of error.message in the callback of a failed task: one of de, en, es, fr, id, ja, ko, pt, ru, zh. Others are ignored. */
            language?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imagefast-3.1 */
        "imagefast-3.1": {
            /** @enum {string} */
            model: "imagefast-3.1";
            /** @description What the image should show, or what should change in the images given. */
            prompt: string;
            /**
             * @description Default: `"auto"`.
             * @enum {string}
             */
            size?: "auto" | "1:1" | "2:3" | "3:2" | "3:4" | "4:3" | "4:5" | "5:4" | "9:16" | "16:9" | "21:9" | "1:4" | "4:1" | "1:8" | "8:1";
            /**
             * @description Default: `"1K"`.
             * @enum {string}
             */
            resolution?: "512" | "1K" | "2K" | "4K";
            /** @description How many images to make. Default: `1`. */
            n?: number;
            /** @description Images to work from (PNG, JPEG or WebP): http or https URLs, data URLs, or ids of files (`file_…`). */
            image_urls?: string[];
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Language of error.message in the callback of a failed task: one of de, en, es, fr, id, ja, ko, pt, ru, zh. Others are ignored. */
            language?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imagegen-2 */
        "imagegen-2": {
            /** @enum {string} */
            model: "imagegen-2";
            /** @description What the image should show, or what should change in the images given. */
            prompt: string;
            /** @description auto, one of 1:1 3:2 2:3 4:3 3:4 5:4 4:5 16:9 9:16 2:1 1:2 21:9 9:21 3:1 1:3, or <width>x<height>. Default auto; with image_urls, the aspect ratio of the first image. */
            size?: string;
            /**
             * @description Only together with an aspect ratio. Default: `"1k"`.
             * @enum {string}
             */
            resolution?: "1k" | "2k" | "4k";
            /** @description How many images to make. Default: `1`. */
            n?: number;
            /**
             * @description Default: `"png"`.
             * @enum {string}
             */
            output_format?: "png" | "jpeg" | "webp";
            /** @description Only with jpeg and webp. */
            output_compression?: number;
            /**
             * @description transparent needs output_format png or webp.
             * @enum {string}
             */
            background?: "transparent" | "opaque" | "auto";
            /**
             * @description Default: `"low"`.
             * @enum {string}
             */
            moderation?: "low" | "auto";
            /** @description Images to work from (PNG, JPEG or WebP): http or https URLs, data URLs, or ids of files (`file_…`). */
            image_urls?: string[];
            /** @description Only with image_urls: a PNG with alpha, exactly as large as the first image, transparent where it may change. http or https URL, data URL, or id of a file. */
            mask_url?: string;
            /**
             * @description Default: `"auto"`.
             * @enum {string}
             */
            quality?: "low" | "medium" | "high" | "auto";
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Language of error.message in the callback of a failed task: one of de, en, es, fr, id, ja, ko, pt, ru, zh. Others are ignored. */
            language?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imagegen-2.5-flare */
        "imagegen-2.5-flare": {
            /** @enum {string} */
            model: "imagegen-2.5-flare";
            /** @description What the image should show, or what should change in the images given. */
            prompt: string;
            /** @description auto, one of 1:1 3:2 2:3 4:3 3:4 5:4 4:5 16:9 9:16 2:1 1:2 21:9 9:21 3:1 1:3, or <width>x<height>. Default auto; with image_urls, the aspect ratio of the first image. */
            size?: string;
            /**
             * @description Only together with an aspect ratio. Default: `"1k"`.
             * @enum {string}
             */
            resolution?: "1k" | "2k" | "4k";
            /** @description How many images to make. Default: `1`. */
            n?: number;
            /**
             * @description Default: `"png"`.
             * @enum {string}
             */
            output_format?: "png" | "jpeg" | "webp";
            /** @description Only with jpeg and webp. */
            output_compression?: number;
            /**
             * @description transparent needs output_format png or webp.
             * @enum {string}
             */
            background?: "transparent" | "opaque" | "auto";
            /**
             * @description Default: `"low"`.
             * @enum {string}
             */
            moderation?: "low" | "auto";
            /** @description Images to work from (PNG, JPEG or WebP): http or https URLs, data URLs, or ids of files (`file_…`). */
            image_urls?: string[];
            /** @description Only with image_urls: a PNG with alpha, exactly as large as the first image, transparent where it may change. http or https URL, data URL, or id of a file. */
            mask_url?: string;
            /**
             * @description Default: `"auto"`.
             * @enum {string}
             */
            quality?: "low" | "medium" | "high" | "xhigh" | "max" | "auto";
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Language of error.message in the callback of a failed task: one of de, en, es, fr, id, ja, ko, pt, ru, zh. Others are ignored. */
            language?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imagegen-2.5-sunburst */
        "imagegen-2.5-sunburst": {
            /** @enum {string} */
            model: "imagegen-2.5-sunburst";
            /** @description What the image should show, or what should change in the images given. */
            prompt: string;
            /** @description auto, one of 1:1 3:2 2:3 4:3 3:4 5:4 4:5 16:9 9:16 2:1 1:2 21:9 9:21 3:1 1:3, or <width>x<height>. Default auto; with image_urls, the aspect ratio of the first image. */
            size?: string;
            /**
             * @description Only together with an aspect ratio. Default: `"1k"`.
             * @enum {string}
             */
            resolution?: "1k" | "2k" | "4k";
            /** @description How many images to make. Default: `1`. */
            n?: number;
            /**
             * @description Default: `"png"`.
             * @enum {string}
             */
            output_format?: "png" | "jpeg" | "webp";
            /** @description Only with jpeg and webp. */
            output_compression?: number;
            /**
             * @description transparent needs output_format png or webp.
             * @enum {string}
             */
            background?: "transparent" | "opaque" | "auto";
            /**
             * @description Default: `"low"`.
             * @enum {string}
             */
            moderation?: "low" | "auto";
            /** @description Images to work from (PNG, JPEG or WebP): http or https URLs, data URLs, or ids of files (`file_…`). */
            image_urls?: string[];
            /** @description Only with image_urls: a PNG with alpha, exactly as large as the first image, transparent where it may change. http or https URL, data URL, or id of a file. */
            mask_url?: string;
            /**
             * @description Default: `"auto"`.
             * @enum {string}
             */
            quality?: "low" | "medium" | "high" | "xhigh" | "max" | "auto";
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Language of error.message in the callback of a failed task: one of de, en, es, fr, id, ja, ko, pt, ru, zh. Others are ignored. */
            language?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imagegen-2.6-flare */
        "imagegen-2.6-flare": {
            /** @enum {string} */
            model: "imagegen-2.6-flare";
            /** @description What the image should show, or what should change in the images given. */
            prompt: string;
            /** @description auto, one of 1:1 3:2 2:3 4:3 3:4 5:4 4:5 16:9 9:16 2:1 1:2 21:9 9:21 3:1 1:3, or <width>x<height>. Default auto; with image_urls, the aspect ratio of the first image. */
            size?: string;
            /**
             * @description Only together with an aspect ratio. Default: `"1k"`.
             * @enum {string}
             */
            resolution?: "1k" | "2k" | "4k";
            /** @description How many images to make. Default: `1`. */
            n?: number;
            /**
             * @description Default: `"png"`.
             * @enum {string}
             */
            output_format?: "png" | "jpeg" | "webp";
            /** @description Only with jpeg and webp. */
            output_compression?: number;
            /**
             * @description transparent needs output_format png or webp.
             * @enum {string}
             */
            background?: "transparent" | "opaque" | "auto";
            /**
             * @description Default: `"low"`.
             * @enum {string}
             */
            moderation?: "low" | "auto";
            /** @description Images to work from (PNG, JPEG or WebP): http or https URLs, data URLs, or ids of files (`file_…`). */
            image_urls?: string[];
            /** @description Only with image_urls: a PNG with alpha, exactly as large as the first image, transparent where it may change. http or https URL, data URL, or id of a file. */
            mask_url?: string;
            /**
             * @description Default: `"auto"`.
             * @enum {string}
             */
            quality?: "low" | "medium" | "high" | "xhigh" | "max" | "auto";
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Language of error.message in the callback of a failed task: one of de, en, es, fr, id, ja, ko, pt, ru, zh. Others are ignored. */
            language?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imagegen-2.6-sunburst */
        "imagegen-2.6-sunburst": {
            /** @enum {string} */
            model: "imagegen-2.6-sunburst";
            /** @description What the image should show, or what should change in the images given. */
            prompt: string;
            /** @description auto, one of 1:1 3:2 2:3 4:3 3:4 5:4 4:5 16:9 9:16 2:1 1:2 21:9 9:21 3:1 1:3, or <width>x<height>. Default auto; with image_urls, the aspect ratio of the first image. */
            size?: string;
            /**
             * @description Only together with an aspect ratio. Default: `"1k"`.
             * @enum {string}
             */
            resolution?: "1k" | "2k" | "4k";
            /** @description How many images to make. Default: `1`. */
            n?: number;
            /**
             * @description Default: `"png"`.
             * @enum {string}
             */
            output_format?: "png" | "jpeg" | "webp";
            /** @description Only with jpeg and webp. */
            output_compression?: number;
            /**
             * @description transparent needs output_format png or webp.
             * @enum {string}
             */
            background?: "transparent" | "opaque" | "auto";
            /**
             * @description Default: `"low"`.
             * @enum {string}
             */
            moderation?: "low" | "auto";
            /** @description Images to work from (PNG, JPEG or WebP): http or https URLs, data URLs, or ids of files (`file_…`). */
            image_urls?: string[];
            /** @description Only with image_urls: a PNG with alpha, exactly as large as the first image, transparent where it may change. http or https URL, data URL, or id of a file. */
            mask_url?: string;
            /**
             * @description Default: `"auto"`.
             * @enum {string}
             */
            quality?: "low" | "medium" | "high" | "xhigh" | "max" | "auto";
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Language of error.message in the callback of a failed task: one of de, en, es, fr, id, ja, ko, pt, ru, zh. Others are ignored. */
            language?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imageseed-4.0 */
        "imageseed-4.0": {
            /** @enum {string} */
            model: "imageseed-4.0";
            /** @description What the image should show, or what should change in the images given. */
            prompt: string;
            /**
             * @description Default: the model chooses.
             * @enum {string}
             */
            size?: "1:1" | "4:3" | "3:4" | "16:9" | "9:16" | "3:2" | "2:3" | "21:9";
            /**
             * @description Default: `"2K"`.
             * @enum {string}
             */
            resolution?: "1K" | "2K" | "4K";
            /** @description How many images to make. Default: `1`. */
            n?: number;
            /** @description Images to work from (PNG, JPEG or WebP): http or https URLs, data URLs, or ids of files (`file_…`). */
            image_urls?: string[];
            /** @description Default: `false`. */
            watermark?: boolean;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imageseed-5.0 */
        "imageseed-5.0": {
            /** @enum {string} */
            model: "imageseed-5.0";
            /** @description What the image should show, or what should change in the images given. */
            prompt: string;
            /**
             * @description Default: the model chooses.
             * @enum {string}
             */
            size?: "1:1" | "4:3" | "3:4" | "16:9" | "9:16" | "3:2" | "2:3" | "21:9";
            /**
             * @description Default: `"2K"`.
             * @enum {string}
             */
            resolution?: "2K" | "3K";
            /** @description How many images to make. Default: `1`. */
            n?: number;
            /** @description Images to work from (PNG, JPEG or WebP): http or https URLs, data URLs, or ids of files (`file_…`). */
            image_urls?: string[];
            /** @description Default: `false`. */
            watermark?: boolean;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imagefast-2.5-flash-image-preview.edit */
        "imagefast-2.5-flash-image-preview.edit": {
            /** @enum {string} */
            model: "imagefast-2.5-flash-image-preview" | "imagefast-ext";
            /** @description What the image should show, or what should change in the images given. */
            prompt: string;
            /**
             * @description Default: `"auto"`.
             * @enum {string}
             */
            size?: "auto" | "1:1" | "2:3" | "3:2" | "3:4" | "4:3" | "4:5" | "5:4" | "9:16" | "16:9" | "21:9";
            /** @description How many images to make. Default: `1`. */
            n?: number;
            /** @description Images to work from (PNG, JPEG or WebP): http or https URLs, data URLs, or ids of files (`file_…`). */
            image_urls?: string[];
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imagefast-3.1.edit */
        "imagefast-3.1.edit": {
            /** @enum {string} */
            model: "imagefast-3.1";
            /** @description What the image should show, or what should change in the images given. */
            prompt: string;
            /**
             * @description Default: `"auto"`.
             * @enum {string}
             */
            size?: "auto" | "1:1" | "2:3" | "3:2" | "3:4" | "4:3" | "4:5" | "5:4" | "9:16" | "16:9" | "21:9" | "1:4" | "4:1" | "1:8" | "8:1";
            /**
             * @description Default: `"1K"`.
             * @enum {string}
             */
            resolution?: "512" | "1K" | "2K" | "4K";
            /** @description How many images to make. Default: `1`. */
            n?: number;
            /** @description Images to work from (PNG, JPEG or WebP): http or https URLs, data URLs, or ids of files (`file_…`). */
            image_urls?: string[];
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imagegen-2.edit */
        "imagegen-2.edit": {
            /** @enum {string} */
            model: "imagegen-2";
            /** @description What the image should show, or what should change in the images given. */
            prompt: string;
            /** @description auto, one of 1:1 3:2 2:3 4:3 3:4 5:4 4:5 16:9 9:16 2:1 1:2 21:9 9:21 3:1 1:3, or <width>x<height>. Default auto; with image_urls, the aspect ratio of the first image. */
            size?: string;
            /**
             * @description Only together with an aspect ratio. Default: `"1k"`.
             * @enum {string}
             */
            resolution?: "1k" | "2k" | "4k";
            /** @description How many images to make. Default: `1`. */
            n?: number;
            /**
             * @description Default: `"png"`.
             * @enum {string}
             */
            output_format?: "png" | "jpeg" | "webp";
            /** @description Only with jpeg and webp. */
            output_compression?: number;
            /**
             * @description transparent needs output_format png or webp.
             * @enum {string}
             */
            background?: "transparent" | "opaque" | "auto";
            /**
             * @description Default: `"low"`.
             * @enum {string}
             */
            moderation?: "low" | "auto";
            /** @description Images to work from (PNG, JPEG or WebP): http or https URLs, data URLs, or ids of files (`file_…`). */
            image_urls?: string[];
            /** @description Only with image_urls: a PNG with alpha, exactly as large as the first image, transparent where it may change. http or https URL, data URL, or id of a file. */
            mask_url?: string;
            /**
             * @description Default: `"auto"`.
             * @enum {string}
             */
            quality?: "low" | "medium" | "high" | "auto";
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imagegen-2.5-flare.edit */
        "imagegen-2.5-flare.edit": {
            /** @enum {string} */
            model: "imagegen-2.5-flare";
            /** @description What the image should show, or what should change in the images given. */
            prompt: string;
            /** @description auto, one of 1:1 3:2 2:3 4:3 3:4 5:4 4:5 16:9 9:16 2:1 1:2 21:9 9:21 3:1 1:3, or <width>x<height>. Default auto; with image_urls, the aspect ratio of the first image. */
            size?: string;
            /**
             * @description Only together with an aspect ratio. Default: `"1k"`.
             * @enum {string}
             */
            resolution?: "1k" | "2k" | "4k";
            /** @description How many images to make. Default: `1`. */
            n?: number;
            /**
             * @description Default: `"png"`.
             * @enum {string}
             */
            output_format?: "png" | "jpeg" | "webp";
            /** @description Only with jpeg and webp. */
            output_compression?: number;
            /**
             * @description transparent needs output_format png or webp.
             * @enum {string}
             */
            background?: "transparent" | "opaque" | "auto";
            /**
             * @description Default: `"low"`.
             * @enum {string}
             */
            moderation?: "low" | "auto";
            /** @description Images to work from (PNG, JPEG or WebP): http or https URLs, data URLs, or ids of files (`file_…`). */
            image_urls?: string[];
            /** @description Only with image_urls: a PNG with alpha, exactly as large as the first image, transparent where it may change. http or https URL, data URL, or id of a file. */
            mask_url?: string;
            /**
             * @description Default: `"auto"`.
             * @enum {string}
             */
            quality?: "low" | "medium" | "high" | "xhigh" | "max" | "auto";
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imagegen-2.5-sunburst.edit */
        "imagegen-2.5-sunburst.edit": {
            /** @enum {string} */
            model: "imagegen-2.5-sunburst";
            /** @description What the image should show, or what should change in the images given. */
            prompt: string;
            /** @description auto, one of 1:1 3:2 2:3 4:3 3:4 5:4 4:5 16:9 9:16 2:1 1:2 21:9 9:21 3:1 1:3, or <width>x<height>. Default auto; with image_urls, the aspect ratio of the first image. */
            size?: string;
            /**
             * @description Only together with an aspect ratio. Default: `"1k"`.
             * @enum {string}
             */
            resolution?: "1k" | "2k" | "4k";
            /** @description How many images to make. Default: `1`. */
            n?: number;
            /**
             * @description Default: `"png"`.
             * @enum {string}
             */
            output_format?: "png" | "jpeg" | "webp";
            /** @description Only with jpeg and webp. */
            output_compression?: number;
            /**
             * @description transparent needs output_format png or webp.
             * @enum {string}
             */
            background?: "transparent" | "opaque" | "auto";
            /**
             * @description Default: `"low"`.
             * @enum {string}
             */
            moderation?: "low" | "auto";
            /** @description Images to work from (PNG, JPEG or WebP): http or https URLs, data URLs, or ids of files (`file_…`). */
            image_urls?: string[];
            /** @description Only with image_urls: a PNG with alpha, exactly as large as the first image, transparent where it may change. http or https URL, data URL, or id of a file. */
            mask_url?: string;
            /**
             * @description Default: `"auto"`.
             * @enum {string}
             */
            quality?: "low" | "medium" | "high" | "xhigh" | "max" | "auto";
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imagegen-2.6-flare.edit */
        "imagegen-2.6-flare.edit": {
            /** @enum {string} */
            model: "imagegen-2.6-flare";
            /** @description What the image should show, or what should change in the images given. */
            prompt: string;
            /** @description auto, one of 1:1 3:2 2:3 4:3 3:4 5:4 4:5 16:9 9:16 2:1 1:2 21:9 9:21 3:1 1:3, or <width>x<height>. Default auto; with image_urls, the aspect ratio of the first image. */
            size?: string;
            /**
             * @description Only together with an aspect ratio. Default: `"1k"`.
             * @enum {string}
             */
            resolution?: "1k" | "2k" | "4k";
            /** @description How many images to make. Default: `1`. */
            n?: number;
            /**
             * @description Default: `"png"`.
             * @enum {string}
             */
            output_format?: "png" | "jpeg" | "webp";
            /** @description Only with jpeg and webp. */
            output_compression?: number;
            /**
             * @description transparent needs output_format png or webp.
             * @enum {string}
             */
            background?: "transparent" | "opaque" | "auto";
            /**
             * @description Default: `"low"`.
             * @enum {string}
             */
            moderation?: "low" | "auto";
            /** @description Images to work from (PNG, JPEG or WebP): http or https URLs, data URLs, or ids of files (`file_…`). */
            image_urls?: string[];
            /** @description Only with image_urls: a PNG with alpha, exactly as large as the first image, transparent where it may change. http or https URL, data URL, or id of a file. */
            mask_url?: string;
            /**
             * @description Default: `"auto"`.
             * @enum {string}
             */
            quality?: "low" | "medium" | "high" | "xhigh" | "max" | "auto";
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imagegen-2.6-sunburst.edit */
        "imagegen-2.6-sunburst.edit": {
            /** @enum {string} */
            model: "imagegen-2.6-sunburst";
            /** @description What the image should show, or what should change in the images given. */
            prompt: string;
            /** @description auto, one of 1:1 3:2 2:3 4:3 3:4 5:4 4:5 16:9 9:16 2:1 1:2 21:9 9:21 3:1 1:3, or <width>x<height>. Default auto; with image_urls, the aspect ratio of the first image. */
            size?: string;
            /**
             * @description Only together with an aspect ratio. Default: `"1k"`.
             * @enum {string}
             */
            resolution?: "1k" | "2k" | "4k";
            /** @description How many images to make. Default: `1`. */
            n?: number;
            /**
             * @description Default: `"png"`.
             * @enum {string}
             */
            output_format?: "png" | "jpeg" | "webp";
            /** @description Only with jpeg and webp. */
            output_compression?: number;
            /**
             * @description transparent needs output_format png or webp.
             * @enum {string}
             */
            background?: "transparent" | "opaque" | "auto";
            /**
             * @description Default: `"low"`.
             * @enum {string}
             */
            moderation?: "low" | "auto";
            /** @description Images to work from (PNG, JPEG or WebP): http or https URLs, data URLs, or ids of files (`file_…`). */
            image_urls?: string[];
            /** @description Only with image_urls: a PNG with alpha, exactly as large as the first image, transparent where it may change. http or https URL, data URL, or id of a file. */
            mask_url?: string;
            /**
             * @description Default: `"auto"`.
             * @enum {string}
             */
            quality?: "low" | "medium" | "high" | "xhigh" | "max" | "auto";
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imageseed-4.0.edit */
        "imageseed-4.0.edit": {
            /** @enum {string} */
            model: "imageseed-4.0";
            /** @description What the image should show, or what should change in the images given. */
            prompt: string;
            /**
             * @description Default: the model chooses.
             * @enum {string}
             */
            size?: "1:1" | "4:3" | "3:4" | "16:9" | "9:16" | "3:2" | "2:3" | "21:9";
            /**
             * @description Default: `"2K"`.
             * @enum {string}
             */
            resolution?: "1K" | "2K" | "4K";
            /** @description How many images to make. Default: `1`. */
            n?: number;
            /** @description Images to work from (PNG, JPEG or WebP): http or https URLs, data URLs, or ids of files (`file_…`). */
            image_urls?: string[];
            /** @description Default: `false`. */
            watermark?: boolean;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imageseed-5.0.edit */
        "imageseed-5.0.edit": {
            /** @enum {string} */
            model: "imageseed-5.0";
            /** @description What the image should show, or what should change in the images given. */
            prompt: string;
            /**
             * @description Default: the model chooses.
             * @enum {string}
             */
            size?: "1:1" | "4:3" | "3:4" | "16:9" | "9:16" | "3:2" | "2:3" | "21:9";
            /**
             * @description Default: `"2K"`.
             * @enum {string}
             */
            resolution?: "2K" | "3K";
            /** @description How many images to make. Default: `1`. */
            n?: number;
            /** @description Images to work from (PNG, JPEG or WebP): http or https URLs, data URLs, or ids of files (`file_…`). */
            image_urls?: string[];
            /** @description Default: `false`. */
            watermark?: boolean;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** videoa-2.6 */
        "videoa-2.6": {
            /** @enum {string} */
            model: "videoa-2.6";
            /** @description Has the prompt and the images reviewed before the task is accepted. Default: `false`. */
            nsfw_check?: boolean;
            /** @description What the video should show. Required without image_urls. */
            prompt?: string;
            /** @description What the video should not show. */
            negative_prompt?: string;
            /** @description The first frame. */
            image_urls?: string[];
            /**
             * @description Only without image_urls. Default: `"16:9"`.
             * @enum {string}
             */
            aspect_ratio?: "16:9" | "9:16" | "1:1" | "4:3" | "3:4";
            /**
             * @description Default: `"720p"`.
             * @enum {string}
             */
            resolution?: "720p" | "1080p";
            /**
             * @description Whole seconds. Default: `5`.
             * @enum {integer}
             */
            duration?: 5 | 10 | 15;
            /** @description Lets the model rewrite the prompt first. Default: `true`. */
            prompt_extend?: boolean;
            /** @description Whether the video has a sound track. Default: `true`. */
            audio?: boolean;
            /** @description The same seed makes similar videos. */
            seed?: number;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Language of error.message in the callback of a failed task: one of de, en, es, fr, id, ja, ko, pt, ru, zh. Others are ignored. */
            language?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** videoa-2.7 */
        "videoa-2.7": {
            /** @enum {string} */
            model: "videoa-2.7";
            /** @description Has the prompt and the images reviewed before the task is accepted. Default: `false`. */
            nsfw_check?: boolean;
            /** @description What the video should show. Required without images and videos. */
            prompt?: string;
            /** @description One image: the first frame. Two: the first and the last frame. */
            image_urls?: string[];
            /** @description The same with names; instead of image_urls. */
            image_with_roles?: {
                /** @description http or https URL, data URL, or id of a file (`file_…`). */
                url: string;
                /**
                 * @description Default: `"first_frame"`.
                 * @enum {string}
                 */
                role?: "first_frame" | "last_frame";
            }[];
            /** @description A video to continue (mp4 or mov, 2 to 10 s, at most 100 MB); only the first is used. */
            video_urls?: string[];
            /** @description What the video should not show. */
            negative_prompt?: string;
            /**
             * @description Default: `"1080P"`.
             * @enum {string}
             */
            resolution?: "720P" | "1080P";
            /** @description Whole seconds. Default: `5`. */
            duration?: number;
            /**
             * @description Only without images and videos. Default: `"16:9"`.
             * @enum {string}
             */
            size?: "16:9" | "9:16" | "1:1" | "4:3" | "3:4";
            /** @description Background music (wav or mp3, 2 to 30 s, at most 15 MB); only without images and videos. */
            audio_url?: string;
            /** @description Lets the model rewrite the prompt first. Default: `true`. */
            prompt_extend?: boolean;
            /** @description The same seed makes similar videos. */
            seed?: number;
            /** @description Marks the video as made by AI. Default: `false`. */
            watermark?: boolean;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Language of error.message in the callback of a failed task: one of de, en, es, fr, id, ja, ko, pt, ru, zh. Others are ignored. */
            language?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** videoa-3.0-video */
        "videoa-3.0-video": {
            /** @enum {string} */
            model: "videoa-3.0-video";
            /** @description Has the prompt and the images reviewed before the task is accepted. Default: `false`. */
            nsfw_check?: boolean;
            /** @description Required unless media is given. What exceeds 20000 characters is cut off. References are called Image 1, Video 1, Audio 1. */
            prompt?: string;
            /**
             * @description Default: `"1080P"`.
             * @enum {string}
             */
            resolution?: "480P" | "720P" | "1080P";
            /**
             * @description Aspect ratio; adaptive: that of the media, or the choice of the model. Default: `"adaptive"`.
             * @enum {string}
             */
            size?: "adaptive" | "16:9" | "4:3" | "1:1" | "3:4" | "9:16";
            /**
             * @description Another name of size.
             * @enum {string}
             */
            aspect_ratio?: "adaptive" | "16:9" | "4:3" | "1:1" | "3:4" | "9:16";
            /** @description Whole seconds; -1: the model decides. Input videos and the output last at most 30 s together. Default: `5`. */
            duration?: number | unknown | -1;
            /** @description Whether the video has a sound track. Default: `true`. */
            audio?: boolean;
            /** @description The same seed makes similar videos. */
            seed?: number;
            /** @description Marks the video as made by AI. Default: `false`. */
            watermark?: boolean;
            /**
             * @description What image_urls are. Default: references where other reference media is given, else first and last frame.
             * @enum {string}
             */
            generation_type?: "frame" | "reference";
            /** @description Frames or references, see generation_type. */
            image_urls?: string[];
            image_with_roles?: {
                /** @description http or https URL, data URL, or id of a file (`file_…`). */
                url: string;
                /** @enum {string} */
                role: "first_frame" | "last_frame" | "reference_image";
            }[];
            /** @description Reference videos: mp4 or mov, 1 to 15 s each and at most 15 s together. */
            video_urls?: string[];
            /** @description Reference audio: wav or mp3, 1 to 15 s each and at most 15 s together. */
            audio_urls?: string[];
            /** @description One more audio_urls. */
            audio_url?: string;
            /** @description A document to work from: office formats, PDF, text; at most 50 pages. Not with link_url. */
            file_url?: string;
            /** @description A public page to work from. Not with file_url. */
            link_url?: string;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Language of error.message in the callback of a failed task: one of de, en, es, fr, id, ja, ko, pt, ru, zh. Others are ignored. */
            language?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** videoa-3.0-video-prime */
        "videoa-3.0-video-prime": {
            /** @enum {string} */
            model: "videoa-3.0-video-prime";
            /** @description Has the prompt and the images reviewed before the task is accepted. Default: `false`. */
            nsfw_check?: boolean;
            /** @description Required unless media is given. What exceeds 20000 characters is cut off. References are called Image 1, Video 1, Audio 1. */
            prompt?: string;
            /**
             * @description Default: `"1080P"`.
             * @enum {string}
             */
            resolution?: "480P" | "720P" | "1080P";
            /**
             * @description Aspect ratio; adaptive: that of the media, or the choice of the model. Default: `"adaptive"`.
             * @enum {string}
             */
            size?: "adaptive" | "16:9" | "4:3" | "1:1" | "3:4" | "9:16";
            /**
             * @description Another name of size.
             * @enum {string}
             */
            aspect_ratio?: "adaptive" | "16:9" | "4:3" | "1:1" | "3:4" | "9:16";
            /** @description Whole seconds; -1: the model decides. Input videos and the output last at most 30 s together. Default: `5`. */
            duration?: number | unknown | -1;
            /** @description Whether the video has a sound track. Default: `true`. */
            audio?: boolean;
            /** @description The same seed makes similar videos. */
            seed?: number;
            /** @description Marks the video as made by AI. Default: `false`. */
            watermark?: boolean;
            /**
             * @description What image_urls are. Default: references where other reference media is given, else first and last frame.
             * @enum {string}
             */
            generation_type?: "frame" | "reference";
            /** @description Frames or references, see generation_type. */
            image_urls?: string[];
            image_with_roles?: {
                /** @description http or https URL, data URL, or id of a file (`file_…`). */
                url: string;
                /** @enum {string} */
                role: "first_frame" | "last_frame" | "reference_image";
            }[];
            /** @description Reference videos: mp4 or mov, 1 to 15 s each and at most 15 s together. */
            video_urls?: string[];
            /** @description Reference audio: wav or mp3, 1 to 15 s each and at most 15 s together. */
            audio_urls?: string[];
            /** @description One more audio_urls. */
            audio_url?: string;
            /** @description A document to work from: office formats, PDF, text; at most 50 pages. Not with link_url. */
            file_url?: string;
            /** @description A public page to work from. Not with file_url. */
            link_url?: string;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Language of error.message in the callback of a failed task: one of de, en, es, fr, id, ja, ko, pt, ru, zh. Others are ignored. */
            language?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** videob-2.0 */
        "videob-2.0": {
            /** @enum {string} */
            model: "videob-2.0";
            /** @description Has the prompt and the images reviewed before the task is accepted. Default: `false`. */
            nsfw_check?: boolean;
            /** @description What the video should show. Required unless media is given. */
            prompt?: string;
            /**
             * @description Default: `"720p"`.
             * @enum {string}
             */
            resolution?: "480p" | "720p" | "1080p";
            /**
             * @description adaptive: that of the media, or the choice of the model. Default: `"adaptive"`.
             * @enum {string}
             */
            aspect_ratio?: "adaptive" | "16:9" | "4:3" | "1:1" | "3:4" | "9:16" | "21:9";
            /** @description Whole seconds; -1: the model decides. Default: `5`. */
            duration?: number | unknown | -1;
            /** @description Whether the video has a sound track. Default: `true`. */
            audio?: boolean;
            /** @description The same seed makes similar videos. */
            seed?: number;
            /** @description Marks the video as made by AI. Default: `false`. */
            watermark?: boolean;
            /** @description http or https URL, data URL, or id of a file (`file_…`). */
            first_frame_image?: string;
            /** @description http or https URL, data URL, or id of a file (`file_…`). Only with first_frame_image. */
            last_frame_image?: string;
            /** @description What is to be seen. Not with frames. */
            reference_images?: string[];
            /** @description Clips to work from: mp4 or mov, 2 to 15 s each and at most 15 s together. */
            reference_videos?: string[];
            /** @description Sounds to work from: wav or mp3, 2 to 15 s each and at most 15 s together. Only with reference_images or reference_videos. */
            reference_audio?: string[];
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Language of error.message in the callback of a failed task: one of de, en, es, fr, id, ja, ko, pt, ru, zh. Others are ignored. */
            language?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** videoc-v4-fast */
        "videoc-v4-fast": {
            /** @enum {string} */
            model: "videoc-v4-fast";
            /** @description Has the prompt and the images reviewed before the task is accepted. Default: `false`. */
            nsfw_check?: boolean;
            /** @description What the video should show, at most 1280 tokens (UTF-8 bytes / 4); with every tag used. */
            prompt: string;
            /** @description Whole seconds. Default: `5`. */
            duration?: number;
            /**
             * @description Default: `"1080p"`.
             * @enum {string}
             */
            resolution?: "480p" | "720p" | "1080p";
            /**
             * @description Not in image-to-video and not with ref_videos, which give their own. Default: `"16:9"`.
             * @enum {string}
             */
            aspect_ratio?: "16:9" | "4:3" | "1:1" | "9:16" | "3:4";
            /** @description Lets the model rewrite the prompt first. Default: `true`. */
            prompt_optimizer?: boolean;
            /** @description Image-to-video: the first frame. */
            first_frame_image?: string;
            /** @description Image-to-video: the last frame. */
            end_frame_image?: string;
            /** @description Image-to-video: frames in between. */
            mid_frame_images?: {
                /** @description Begins with @ and stands in the prompt. */
                tag: string;
                /** @description http or https URL, data URL, or id of a file (`file_…`). */
                image_url: string;
                /** @description Seconds, above 0 and below duration. */
                time_stamp?: number;
            }[];
            /** @description Multimodal reference: people and things to show; all of one type. */
            ref_images?: {
                /** @description Begins with @ and stands in the prompt. */
                tag: string;
                /**
                 * @description image: up to 3 items of 1 to 5 images; grid: one item, one image with several views.
                 * @enum {string}
                 */
                type: "image" | "grid";
                /** @description http or https URL, data URL, or id of a file (`file_…`). */
                image_urls: string[];
                /** @description Its voice (wav or mp3, at most 15 s). */
                audio_url?: string;
            }[];
            /** @description Multimodal reference: a video to follow or to go on from (mp4 or mov, at most 10 s). */
            ref_videos?: {
                /** @description Begins with @ and stands in the prompt. */
                tag: string;
                /**
                 * @description reference: the result is as long as the video; extend: not with ref_images.
                 * @enum {string}
                 */
                type: "reference" | "extend";
                /** @description http or https URL, data URL, or id of a file (`file_…`). */
                video_url: string;
            }[];
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Language of error.message in the callback of a failed task: one of de, en, es, fr, id, ja, ko, pt, ru, zh. Others are ignored. */
            language?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** videoc-v4-std */
        "videoc-v4-std": {
            /** @enum {string} */
            model: "videoc-v4-std";
            /** @description Has the prompt and the images reviewed before the task is accepted. Default: `false`. */
            nsfw_check?: boolean;
            /** @description What the video should show, at most 1280 tokens (UTF-8 bytes / 4); with every tag used. */
            prompt: string;
            /** @description Whole seconds. Default: `5`. */
            duration?: number;
            /**
             * @description Default: `"1080p"`.
             * @enum {string}
             */
            resolution?: "480p" | "720p" | "1080p";
            /**
             * @description Not in image-to-video and not with ref_videos, which give their own. Default: `"16:9"`.
             * @enum {string}
             */
            aspect_ratio?: "16:9" | "4:3" | "1:1" | "9:16" | "3:4";
            /** @description Lets the model rewrite the prompt first. Default: `true`. */
            prompt_optimizer?: boolean;
            /** @description Image-to-video: the first frame. */
            first_frame_image?: string;
            /** @description Image-to-video: the last frame. */
            end_frame_image?: string;
            /** @description Image-to-video: frames in between. */
            mid_frame_images?: {
                /** @description Begins with @ and stands in the prompt. */
                tag: string;
                /** @description http or https URL, data URL, or id of a file (`file_…`). */
                image_url: string;
                /** @description Seconds, above 0 and below duration. */
                time_stamp?: number;
            }[];
            /** @description Multimodal reference: people and things to show; all of one type. */
            ref_images?: {
                /** @description Begins with @ and stands in the prompt. */
                tag: string;
                /**
                 * @description image: up to 3 items of 1 to 5 images; grid: one item, one image with several views.
                 * @enum {string}
                 */
                type: "image" | "grid";
                /** @description http or https URL, data URL, or id of a file (`file_…`). */
                image_urls: string[];
                /** @description Its voice (wav or mp3, at most 15 s). */
                audio_url?: string;
            }[];
            /** @description Multimodal reference: a video to follow or to go on from (mp4 or mov, at most 10 s). */
            ref_videos?: {
                /** @description Begins with @ and stands in the prompt. */
                tag: string;
                /**
                 * @description reference: the result is as long as the video; extend: not with ref_images.
                 * @enum {string}
                 */
                type: "reference" | "extend";
                /** @description http or https URL, data URL, or id of a file (`file_…`). */
                video_url: string;
            }[];
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Language of error.message in the callback of a failed task: one of de, en, es, fr, id, ja, ko, pt, ru, zh. Others are ignored. */
            language?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** videod-02 */
        "videod-02": {
            /** @enum {string} */
            model: "videod-02";
            /** @description Has the prompt and the images reviewed before the task is accepted. Default: `false`. */
            nsfw_check?: boolean;
            /** @description What the video should show. */
            prompt: string;
            /**
             * @description Whole seconds; 1080p has 5 only. Default: `5`.
             * @enum {integer}
             */
            duration?: 5 | 10;
            /**
             * @description 512p only goes with a first frame and without a last one. Default: `"768p"`.
             * @enum {string}
             */
            resolution?: "512p" | "768p" | "1080p";
            /** @description Lets the model rewrite the prompt first. Default: `true`. */
            prompt_optimizer?: boolean;
            /** @description Spends less time on rewriting the prompt. Default: `false`. */
            fast_pretreatment?: boolean;
            /** @description Marks the video as made by AI. Default: `false`. */
            watermark?: boolean;
            /** @description PNG, JPEG or WebP: http or https URL, data URL, or id of a file (`file_…`). */
            first_frame_image?: string;
            /** @description PNG, JPEG or WebP: http or https URL, data URL, or id of a file (`file_…`). Only with first_frame_image. */
            last_frame_image?: string;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Language of error.message in the callback of a failed task: one of de, en, es, fr, id, ja, ko, pt, ru, zh. Others are ignored. */
            language?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** videoe-v3 */
        "videoe-v3": {
            /** @enum {string} */
            model: "videoe-v3";
            /** @description What the video should show. May be omitted with multi_shot. */
            prompt?: string;
            /** @description What the video should not show. */
            negative_prompt?: string;
            /**
             * @description std is 720P, pro 1080P. Default: `"std"`.
             * @enum {string}
             */
            mode?: "std" | "pro" | "4k";
            /** @description Whole seconds. Default: `5`. */
            duration?: number;
            /**
             * @description With image_urls the video has the ratio of the image. Default: `"16:9"`.
             * @enum {string}
             */
            aspect_ratio?: "16:9" | "9:16" | "1:1";
            /** @description One image: the first frame. Two: the first and the last frame. */
            image_urls?: string[];
            /** @description Marks the video as made by AI. */
            watermark?: boolean;
            /** @description Whether the video has a sound track. Default: `false`. */
            audio?: boolean;
            /** @description Several shots in one video. Default: `false`. */
            multi_shot?: boolean;
            /**
             * @description Required with multi_shot: whether multi_prompt plans the shots, or the model.
             * @enum {string}
             */
            shot_type?: "customize" | "intelligence";
            /** @description Required with shot_type customize. The durations add up to that of the video. */
            multi_prompt?: {
                /** @description Counted from 1 without a gap. */
                index: number;
                /** @description What the shot should show. */
                prompt: string;
                /** @description Whole seconds. */
                duration: number;
            }[];
            /** @description People and things, called by @ and their name in the prompt. */
            element_list?: {
                /** @description Not contained in the name of another. */
                name: string;
                /** @description What it is. */
                description: string;
                /** @description Images of it; the first shows the front. */
                element_input_urls: string[];
            }[];
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Language of error.message in the callback of a failed task: one of de, en, es, fr, id, ja, ko, pt, ru, zh. Others are ignored. */
            language?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** videof-3.1 */
        "videof-3.1": {
            /** @enum {string} */
            model: "videof-3.1";
            /** @description Has the prompt and the images reviewed before the task is accepted. Default: `false`. */
            nsfw_check?: boolean;
            /** @description What the video should show, and what is to be heard: it always has a sound track. */
            prompt: string;
            /** @description What the video should not show. */
            negative_prompt?: string;
            /**
             * @description Default: `"16:9"`.
             * @enum {string}
             */
            aspect_ratio?: "16:9" | "9:16";
            /**
             * @description Whole seconds. Only 8 with a resolution above 720p, or with references. Default: `8`.
             * @enum {integer}
             */
            duration?: 4 | 6 | 8;
            /** @description http or https URL, data URL, or id of a file (`file_…`). */
            first_frame_image?: string;
            /** @description http or https URL, data URL, or id of a file (`file_…`). Only with first_frame_image. */
            last_frame_image?: string;
            /**
             * @description Default: `"720p"`.
             * @enum {string}
             */
            resolution?: "720p" | "1080p" | "4k";
            /** @description What is to be seen: people, things, places. Not with frames. */
            reference_images?: string[];
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Language of error.message in the callback of a failed task: one of de, en, es, fr, id, ja, ko, pt, ru, zh. Others are ignored. */
            language?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** videof-3.1-fast */
        "videof-3.1-fast": {
            /** @enum {string} */
            model: "videof-3.1-fast";
            /** @description Has the prompt and the images reviewed before the task is accepted. Default: `false`. */
            nsfw_check?: boolean;
            /** @description What the video should show, and what is to be heard: it always has a sound track. */
            prompt: string;
            /** @description What the video should not show. */
            negative_prompt?: string;
            /**
             * @description Default: `"16:9"`.
             * @enum {string}
             */
            aspect_ratio?: "16:9" | "9:16";
            /**
             * @description Whole seconds. Only 8 with a resolution above 720p, or with references. Default: `8`.
             * @enum {integer}
             */
            duration?: 4 | 6 | 8;
            /** @description http or https URL, data URL, or id of a file (`file_…`). */
            first_frame_image?: string;
            /** @description http or https URL, data URL, or id of a file (`file_…`). Only with first_frame_image. */
            last_frame_image?: string;
            /**
             * @description Default: `"720p"`.
             * @enum {string}
             */
            resolution?: "720p" | "1080p" | "4k";
            /** @description What is to be seen: people, things, places. Not with frames. */
            reference_images?: string[];
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Language of error.message in the callback of a failed task: one of de, en, es, fr, id, ja, ko, pt, ru, zh. Others are ignored. */
            language?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** videof-3.1-lite */
        "videof-3.1-lite": {
            /** @enum {string} */
            model: "videof-3.1-lite";
            /** @description Has the prompt and the images reviewed before the task is accepted. Default: `false`. */
            nsfw_check?: boolean;
            /** @description What the video should show, and what is to be heard: it always has a sound track. */
            prompt: string;
            /** @description What the video should not show. */
            negative_prompt?: string;
            /**
             * @description Default: `"16:9"`.
             * @enum {string}
             */
            aspect_ratio?: "16:9" | "9:16";
            /**
             * @description Whole seconds. Only 8 with a resolution above 720p, or with references. Default: `8`.
             * @enum {integer}
             */
            duration?: 4 | 6 | 8;
            /** @description http or https URL, data URL, or id of a file (`file_…`). */
            first_frame_image?: string;
            /** @description http or https URL, data URL, or id of a file (`file_…`). Only with first_frame_image. */
            last_frame_image?: string;
            /**
             * @description Default: `"720p"`.
             * @enum {string}
             */
            resolution?: "720p" | "1080p";
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Language of error.message in the callback of a failed task: one of de, en, es, fr, id, ja, ko, pt, ru, zh. Others are ignored. */
            language?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** musicgen.adjust-speed */
        "musicgen.adjust-speed": {
            /**
             * @description Default: `"musicgen"`.
             * @enum {string}
             */
            model?: "musicgen";
            /** @description The music task that made the track. */
            task_id: string;
            /** @description Which track of its result, counted from 1. Default: `1`. */
            audio_index?: number;
            /** @description Times as fast; the pitch stays. */
            speed: number;
            /**
             * @description Default: that of the track.
             * @enum {string}
             */
            audio_format?: "mp3" | "m4a" | "wav";
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** musicgen.aligned-lyrics */
        "musicgen.aligned-lyrics": {
            /**
             * @description Default: `"musicgen"`.
             * @enum {string}
             */
            model?: "musicgen";
            /** @description The music task that made the track. */
            task_id: string;
            /** @description Which track of its result, counted from 1. Default: `1`. */
            audio_index?: number;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** musicgen.bpm */
        "musicgen.bpm": {
            /**
             * @description Default: `"musicgen"`.
             * @enum {string}
             */
            model?: "musicgen";
            /** @description The music task that made the track. */
            task_id: string;
            /** @description Which track of its result, counted from 1. Default: `1`. */
            audio_index?: number;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** musicgen.concat */
        "musicgen.concat": {
            /**
             * @description Default: `"musicgen"`.
             * @enum {string}
             */
            model?: "musicgen";
            /** @description The music task that made the track. */
            task_id: string;
            /** @description Which track of its result, counted from 1. Default: `1`. */
            audio_index?: number;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** musicgen.cover */
        "musicgen.cover": {
            /**
             * @description Default: `"musicgen"`.
             * @enum {string}
             */
            model?: "musicgen";
            /** @description The music task that made the track. */
            task_id: string;
            /** @description Which track of its result, counted from 1. Default: `1`. */
            audio_index?: number;
            /**
             * @description Default: `"v5.5"`.
             * @enum {string}
             */
            version?: "v5" | "v5.5";
            /** @description Default: whether there are fields of that mode. */
            custom?: boolean;
            /** @description Lyrics; with custom. */
            prompt?: string;
            /** @description Title of the track. */
            title?: string;
            /** @description Style, separated by commas. */
            tags?: string;
            /** @description Styles to keep away from; with custom. */
            negative_tags?: string;
            /** @description Write the lyrics from the prompt; with custom. */
            auto_lyrics?: boolean;
            /** @description How closely to keep to the tags; with custom. */
            style_weight?: number;
            /** @description How far to leave the usual; with custom. */
            weirdness_constraint?: number;
            /** @description How closely to keep to the track; with custom. */
            audio_weight?: number;
            /** @description What the track should be; required without custom. */
            gpt_description?: string;
            /**
             * @description Read in both modes.
             * @enum {string}
             */
            vocal_gender?: "m" | "f" | "male" | "female";
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** musicgen.create */
        "musicgen.create": {
            /**
             * @description Default: `"musicgen"`.
             * @enum {string}
             */
            model?: "musicgen";
            /**
             * @description Default: `"v5.5"`.
             * @enum {string}
             */
            version?: "v5" | "v5.5";
            /** @description Default: whether there are fields of that mode. */
            custom?: boolean;
            /** @description Lyrics; with custom. */
            prompt?: string;
            /** @description Title of the track. */
            title?: string;
            /** @description Style, separated by commas. */
            tags?: string;
            /** @description Styles to keep away from; with custom. */
            negative_tags?: string;
            /** @description Write the lyrics from the prompt; with custom. */
            auto_lyrics?: boolean;
            /** @description How closely to keep to the tags; with custom. */
            style_weight?: number;
            /** @description How far to leave the usual; with custom. */
            weirdness_constraint?: number;
            /** @description How closely to keep to the track; with custom. */
            audio_weight?: number;
            /** @description What the track should be; required without custom. */
            gpt_description?: string;
            /**
             * @description Read in both modes.
             * @enum {string}
             */
            vocal_gender?: "m" | "f" | "male" | "female";
            /** @description Without singing. Default: `false`. */
            instrumental?: boolean;
            /**
             * @description Default: `"mp3"`.
             * @enum {string}
             */
            audio_format?: "mp3" | "m4a" | "wav";
            /** @description Seconds wanted. */
            duration?: number;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** musictrack-2 */
        "musictrack-2": {
            /** @enum {string} */
            model: "musictrack-2";
            /** @description What the track should be: style, instruments, mood, and what is sung. */
            prompt: string;
            /** @description Seconds wanted. Absent: the model decides, and 600 are reserved; what is made is charged. */
            duration?: number;
            /** @description Without singing. Default: `false`. */
            instrumental?: boolean;
            /**
             * @description Default: `"mp3"`.
             * @enum {string}
             */
            audio_format?: "mp3" | "m4a" | "wav";
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** musicgen.crop */
        "musicgen.crop": {
            /**
             * @description Default: `"musicgen"`.
             * @enum {string}
             */
            model?: "musicgen";
            /** @description The music task that made the track. */
            task_id: string;
            /** @description Which track of its result, counted from 1. Default: `1`. */
            audio_index?: number;
            /** @description Seconds from the beginning of the track. */
            start_s: number;
            /** @description After start_s, within the track. */
            end_s: number;
            /**
             * @description Default: that of the track.
             * @enum {string}
             */
            audio_format?: "mp3" | "m4a" | "wav";
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** musicgen.extend */
        "musicgen.extend": {
            /**
             * @description Default: `"musicgen"`.
             * @enum {string}
             */
            model?: "musicgen";
            /** @description The music task that made the track. */
            task_id: string;
            /** @description Which track of its result, counted from 1. Default: `1`. */
            audio_index?: number;
            /** @description Seconds from the beginning of the track, where the new part begins. */
            continue_at: number;
            /**
             * @description Default: `"v5.5"`.
             * @enum {string}
             */
            version?: "v5" | "v5.5";
            /** @description Default: whether there are fields of that mode. */
            custom?: boolean;
            /** @description Lyrics; with custom. */
            prompt?: string;
            /** @description Title of the track. */
            title?: string;
            /** @description Style, separated by commas. */
            tags?: string;
            /** @description Styles to keep away from; with custom. */
            negative_tags?: string;
            /** @description Write the lyrics from the prompt; with custom. */
            auto_lyrics?: boolean;
            /** @description How closely to keep to the tags; with custom. */
            style_weight?: number;
            /** @description How far to leave the usual; with custom. */
            weirdness_constraint?: number;
            /** @description How closely to keep to the track; with custom. */
            audio_weight?: number;
            /** @description What the track should be; required without custom. */
            gpt_description?: string;
            /**
             * @description Read in both modes.
             * @enum {string}
             */
            vocal_gender?: "m" | "f" | "male" | "female";
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** musicgen.fade */
        "musicgen.fade": {
            /**
             * @description Default: `"musicgen"`.
             * @enum {string}
             */
            model?: "musicgen";
            /** @description The music task that made the track. */
            task_id: string;
            /** @description Which track of its result, counted from 1. Default: `1`. */
            audio_index?: number;
            /** @description Seconds at the beginning over which the sound comes in; 0: at once. */
            fade_in_s?: number;
            /** @description Seconds at the end over which the sound goes out; 0: at once. */
            fade_out_s?: number;
            /**
             * @description Default: that of the track.
             * @enum {string}
             */
            audio_format?: "mp3" | "m4a" | "wav";
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** musicgen.lyrics */
        "musicgen.lyrics": {
            /**
             * @description Default: `"musicgen"`.
             * @enum {string}
             */
            model?: "musicgen";
            /** @description What the lyrics are about. */
            prompt: string;
            /** @description classic or remi. */
            lyrics_model?: string;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** musicgen.midi */
        "musicgen.midi": {
            /**
             * @description Default: `"musicgen"`.
             * @enum {string}
             */
            model?: "musicgen";
            /** @description The music task that made the track. */
            task_id: string;
            /** @description Which track of its result, counted from 1. Default: `1`. */
            audio_index?: number;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** musicgen.remaster */
        "musicgen.remaster": {
            /**
             * @description Default: `"musicgen"`.
             * @enum {string}
             */
            model?: "musicgen";
            /** @description The music task that made the track. */
            task_id: string;
            /** @description Which track of its result, counted from 1. Default: `1`. */
            audio_index?: number;
            /**
             * @description Default: `"v5"`.
             * @enum {string}
             */
            version?: "v5" | "v5.5";
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** musicgen.remove */
        "musicgen.remove": {
            /**
             * @description Default: `"musicgen"`.
             * @enum {string}
             */
            model?: "musicgen";
            /** @description The music task that made the track. */
            task_id: string;
            /** @description Which track of its result, counted from 1. Default: `1`. */
            audio_index?: number;
            /** @description Seconds from the beginning of the track. */
            start_s: number;
            /** @description After start_s, within the track. */
            end_s: number;
            /**
             * @description Default: that of the track.
             * @enum {string}
             */
            audio_format?: "mp3" | "m4a" | "wav";
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** musicgen.replace */
        "musicgen.replace": {
            /**
             * @description Default: `"musicgen"`.
             * @enum {string}
             */
            model?: "musicgen";
            /** @description The music task that made the track. */
            task_id: string;
            /** @description Which track of its result, counted from 1. Default: `1`. */
            audio_index?: number;
            /** @description Seconds from the beginning of the track. */
            start_s: number;
            /** @description After start_s, within the track. */
            end_s: number;
            /**
             * @description Default: `"v5.5"`.
             * @enum {string}
             */
            version?: "v5" | "v5.5";
            /** @description Lyrics of the new part. */
            infill_lyrics?: string;
            /** @description What the new part should be. */
            prompt?: string;
            /** @description Style, separated by commas. */
            tags?: string;
            /** @description Title of the track. */
            title?: string;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** musicgen.sample */
        "musicgen.sample": {
            /**
             * @description Default: `"musicgen"`.
             * @enum {string}
             */
            model?: "musicgen";
            /** @description The music task that made the track. */
            task_id: string;
            /** @description Which track of its result, counted from 1. Default: `1`. */
            audio_index?: number;
            /** @description Seconds from the beginning of the track. */
            start_s?: number;
            /** @description After start_s, within the track. */
            end_s?: number;
            /** @description Without singing. Default: `false`. */
            instrumental?: boolean;
            /**
             * @description Default: `"v5.5"`.
             * @enum {string}
             */
            version?: "v5" | "v5.5";
            /** @description Default: whether there are fields of that mode. */
            custom?: boolean;
            /** @description Lyrics; with custom. */
            prompt?: string;
            /** @description Title of the track. */
            title?: string;
            /** @description Style, separated by commas. */
            tags?: string;
            /** @description Styles to keep away from; with custom. */
            negative_tags?: string;
            /** @description Write the lyrics from the prompt; with custom. */
            auto_lyrics?: boolean;
            /** @description How closely to keep to the tags; with custom. */
            style_weight?: number;
            /** @description How far to leave the usual; with custom. */
            weirdness_constraint?: number;
            /** @description How closely to keep to the track; with custom. */
            audio_weight?: number;
            /** @description What the track should be; required without custom. */
            gpt_description?: string;
            /**
             * @description Read in both modes.
             * @enum {string}
             */
            vocal_gender?: "m" | "f" | "male" | "female";
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** musicgen.sounds */
        "musicgen.sounds": {
            /**
             * @description Default: `"musicgen"`.
             * @enum {string}
             */
            model?: "musicgen";
            /**
             * @description Default: `"v5.5"`.
             * @enum {string}
             */
            version?: "v5" | "v5.5";
            /** @description What the sound is of; best in English. */
            prompt: string;
            /**
             * @description Default: `"one-shot"`.
             * @enum {string}
             */
            type?: "one-shot" | "loop";
            /** @description Beats a minute. */
            bpm?: number;
            /**
             * @description Of the melody; minor keys end in m.
             * @enum {string}
             */
            key?: "C" | "C#" | "D" | "D#" | "E" | "F" | "F#" | "G" | "G#" | "A" | "A#" | "B" | "Cm" | "C#m" | "Dm" | "D#m" | "Em" | "Fm" | "F#m" | "Gm" | "G#m" | "Am" | "A#m" | "Bm";
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** musicgen.stems */
        "musicgen.stems": {
            /**
             * @description Default: `"musicgen"`.
             * @enum {string}
             */
            model?: "musicgen";
            /** @description The music task that made the track. */
            task_id: string;
            /** @description Which track of its result, counted from 1. Default: `1`. */
            audio_index?: number;
            /**
             * @description Default: the vocals, and all else.
             * @enum {string}
             */
            stem_type?: "lead_vocal" | "vocals" | "backing_vocals" | "drums" | "bass" | "guitar" | "keyboard" | "strings" | "brass" | "woodwinds" | "percussion" | "synth" | "fx";
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** musicgen.upload */
        "musicgen.upload": {
            /**
             * @description Default: `"musicgen"`.
             * @enum {string}
             */
            model?: "musicgen";
            /** @description Your own sound, of at most 8 minutes: other operations then take it as a track. http or https URL, data URL, or id of a file (`file_…`). */
            audio_url: string;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** soundfx-2 */
        "soundfx-2": {
            /**
             * @description Default: `"soundfx-2"`.
             * @enum {string}
             */
            model?: "soundfx-2";
            /** @description What the sound is of. */
            prompt: string;
            /** @description Seconds wanted. Absent: as long as suits the sound. */
            duration?: number;
            /** @description Whether its end leads into its beginning. Default: `false`. */
            loop?: boolean;
            /**
             * @description Default: `"mp3"`.
             * @enum {string}
             */
            audio_format?: "mp3" | "m4a" | "wav";
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imgtool.blend */
        "imgtool.blend": {
            /** @description PNG, JPEG or WebP: http or https URLs, data URLs, or ids of files (`file_…`). */
            image_urls: string[];
            /** @enum {string} */
            dimensions?: "SQUARE" | "PORTRAIT" | "LANDSCAPE";
            /** @description A ratio as 3:2. */
            size?: string;
            /**
             * @description Default: `"relax"`.
             * @enum {string}
             */
            speed?: "relax" | "fast" | "turbo";
            /** @description Yours: shown in the record and in the callback, and never passed on. At most 16,384 characters of JSON. */
            metadata?: Record<string, never>;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imgtool.describe */
        "imgtool.describe": {
            /** @description PNG, JPEG or WebP: http or https URLs, data URLs, or ids of files (`file_…`). */
            image_urls: string[];
            /**
             * @description Default: `"relax"`.
             * @enum {string}
             */
            speed?: "relax" | "fast" | "turbo";
            /** @description Yours: shown in the record and in the callback, and never passed on. At most 16,384 characters of JSON. */
            metadata?: Record<string, never>;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imgtool.edits */
        "imgtool.edits": {
            /** @description Words, and flags such as --ar 3:2. */
            prompt: string;
            /** @description A ratio as 3:2. */
            size?: string;
            quality?: 0.25 | 0.5 | 1 | 2;
            /** @description A word. */
            style?: string;
            /** @description 8.1, 7, 6.1, 5.2 or 5.1; 7 or 6 with niji. */
            version?: string | number;
            /** @description The model for drawn images. Default: `false`. */
            niji?: boolean;
            seed?: number;
            /** @description What should not be there. */
            negative_prompt?: string;
            stylize?: number;
            chaos?: number;
            weird?: number;
            /** @description A pattern that can be repeated. Default: `false`. */
            tile?: boolean;
            /** @description Weight of the images given. */
            iw?: number;
            /** @description Default: `false`. */
            raw?: boolean;
            /** @description Default: `false`. */
            draft?: boolean;
            /** @description Default: `false`. */
            hd?: boolean;
            stop?: number;
            repeat?: number;
            /** @description PNG, JPEG or WebP: http or https URLs, data URLs, or ids of files (`file_…`). */
            image_urls: string[];
            /**
             * @description Default: `"relax"`.
             * @enum {string}
             */
            speed?: "relax" | "fast" | "turbo";
            /** @description Yours: shown in the record and in the callback, and never passed on. At most 16,384 characters of JSON. */
            metadata?: Record<string, never>;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imgtool.high-variation */
        "imgtool.high-variation": {
            /** @description The image-tool task that made the image. */
            task_id: string;
            /** @description Which image of a grid, from the top left in rows. */
            index?: number;
            /** @description A button of that task. */
            custom_id?: string;
            /**
             * @description Default: `"relax"`.
             * @enum {string}
             */
            speed?: "relax" | "fast" | "turbo";
            /** @description Yours: shown in the record and in the callback, and never passed on. At most 16,384 characters of JSON. */
            metadata?: Record<string, never>;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imgtool.imagine */
        "imgtool.imagine": {
            /** @description Words, and flags such as --ar 3:2. */
            prompt: string;
            /** @description A ratio as 3:2. */
            size?: string;
            quality?: 0.25 | 0.5 | 1 | 2;
            /** @description A word. */
            style?: string;
            /** @description 8.1, 7, 6.1, 5.2 or 5.1; 7 or 6 with niji. */
            version?: string | number;
            /** @description The model for drawn images. Default: `false`. */
            niji?: boolean;
            seed?: number;
            /** @description What should not be there. */
            negative_prompt?: string;
            stylize?: number;
            chaos?: number;
            weird?: number;
            /** @description A pattern that can be repeated. Default: `false`. */
            tile?: boolean;
            /** @description Weight of the images given. */
            iw?: number;
            /** @description Default: `false`. */
            raw?: boolean;
            /** @description Default: `false`. */
            draft?: boolean;
            /** @description Default: `false`. */
            hd?: boolean;
            stop?: number;
            repeat?: number;
            /** @description PNG, JPEG or WebP: http or https URLs, data URLs, or ids of files (`file_…`). */
            image_urls?: string[];
            /**
             * @description Default: `"relax"`.
             * @enum {string}
             */
            speed?: "relax" | "fast" | "turbo";
            /** @description Yours: shown in the record and in the callback, and never passed on. At most 16,384 characters of JSON. */
            metadata?: Record<string, never>;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imgtool.inpaint */
        "imgtool.inpaint": {
            /** @description The image-tool task that made the image. */
            task_id: string;
            /**
             * @description Default: `"relax"`.
             * @enum {string}
             */
            speed?: "relax" | "fast" | "turbo";
            /** @description Yours: shown in the record and in the callback, and never passed on. At most 16,384 characters of JSON. */
            metadata?: Record<string, never>;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imgtool.low-variation */
        "imgtool.low-variation": {
            /** @description The image-tool task that made the image. */
            task_id: string;
            /** @description Which image of a grid, from the top left in rows. */
            index?: number;
            /** @description A button of that task. */
            custom_id?: string;
            /**
             * @description Default: `"relax"`.
             * @enum {string}
             */
            speed?: "relax" | "fast" | "turbo";
            /** @description Yours: shown in the record and in the callback, and never passed on. At most 16,384 characters of JSON. */
            metadata?: Record<string, never>;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imgtool.modal */
        "imgtool.modal": {
            /** @description The image-tool task that made the image. */
            task_id: string;
            /** @description Words, and flags such as --ar 3:2. */
            prompt?: string;
            /** @description http or https URL, data URL, or id of a file (`file_…`). White is painted anew. */
            mask_url?: string;
            /**
             * @description That of the inpaint.
             * @enum {string}
             */
            speed?: "relax" | "fast" | "turbo";
            /** @description Yours: shown in the record and in the callback, and never passed on. At most 16,384 characters of JSON. */
            metadata?: Record<string, never>;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imgtool.pan */
        "imgtool.pan": {
            /** @description The image-tool task that made the image. */
            task_id: string;
            /** @enum {string} */
            direction: "left" | "right" | "up" | "down";
            /**
             * @description Default: `"relax"`.
             * @enum {string}
             */
            speed?: "relax" | "fast" | "turbo";
            /** @description Yours: shown in the record and in the callback, and never passed on. At most 16,384 characters of JSON. */
            metadata?: Record<string, never>;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imgtool.remix-strong */
        "imgtool.remix-strong": {
            /** @description The image-tool task that made the image. */
            task_id: string;
            /** @description Which image of a grid, from the top left in rows. */
            index: number;
            /** @description Words, and flags such as --ar 3:2. */
            prompt?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. At most 16,384 characters of JSON. */
            metadata?: Record<string, never>;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imgtool.remix-subtle */
        "imgtool.remix-subtle": {
            /** @description The image-tool task that made the image. */
            task_id: string;
            /** @description Which image of a grid, from the top left in rows. */
            index: number;
            /** @description Words, and flags such as --ar 3:2. */
            prompt?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. At most 16,384 characters of JSON. */
            metadata?: Record<string, never>;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imgtool.reroll */
        "imgtool.reroll": {
            /** @description The image-tool task that made the image. */
            task_id: string;
            /**
             * @description Default: `"relax"`.
             * @enum {string}
             */
            speed?: "relax" | "fast" | "turbo";
            /** @description Yours: shown in the record and in the callback, and never passed on. At most 16,384 characters of JSON. */
            metadata?: Record<string, never>;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imgtool.upscale */
        "imgtool.upscale": {
            /** @description The image-tool task that made the image. */
            task_id: string;
            /** @description Which image of a grid, from the top left in rows. */
            index?: number;
            /** @description A button of that task. */
            custom_id?: string;
            /**
             * @description Default: `"relax"`.
             * @enum {string}
             */
            speed?: "relax" | "fast" | "turbo";
            /** @description Yours: shown in the record and in the callback, and never passed on. At most 16,384 characters of JSON. */
            metadata?: Record<string, never>;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imgtool.variation */
        "imgtool.variation": {
            /** @description The image-tool task that made the image. */
            task_id: string;
            /** @description Which image of a grid, from the top left in rows. */
            index?: number;
            /** @description A button of that task. */
            custom_id?: string;
            /**
             * @description Default: `"relax"`.
             * @enum {string}
             */
            speed?: "relax" | "fast" | "turbo";
            /** @description Yours: shown in the record and in the callback, and never passed on. At most 16,384 characters of JSON. */
            metadata?: Record<string, never>;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imgtool.video */
        "imgtool.video": {
            /** @description PNG, JPEG or WebP: http or https URLs, data URLs, or ids of files (`file_…`). */
            image_urls?: string[];
            /** @description The image-tool task that made the image. */
            task_id?: string;
            /** @description Which image of that task, from 1; 0 is read as 1. */
            index?: number;
            /** @description Words, and flags such as --ar 3:2. */
            prompt?: string;
            /** @description 480 or 720. Default: `"480"`. */
            video_type?: string | number;
            /** @enum {string} */
            motion?: "low" | "high";
            /**
             * @description Videos, each paid for. Default: `1`.
             * @enum {integer}
             */
            batch_size?: 1 | 2 | 4;
            /** @description An image that the video ends with, as those of `image_urls`. */
            end_url?: string;
            /** @description Yours: shown in the record and in the callback, and never passed on. At most 16,384 characters of JSON. */
            metadata?: Record<string, never>;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
        };
        /** imgtool.zoom */
        "imgtool.zoom": {
            /** @description The image-tool task that made the image. */
            task_id: string;
            /** @description Below 2 is 1.5. Default: `2`. */
            zoom_ratio?: number;
            /**
             * @description Default: `"relax"`.
             * @enum {string}
             */
            speed?: "relax" | "fast" | "turbo";
            /** @description Yours: shown in the record and in the callback, and never passed on. At most 16,384 characters of JSON. */
            metadata?: Record<string, never>;
            /** @description Base URL of your receiver; the record of the finished task is posted to it with /callback appended. */
            webhook?: string;
            /** @description Currency units: refused with 402 if the task can cost more. */
            max_cost?: number;
            /** @description Seconds: the task fails, and costs nothing, unless work on it has begun by then. */
            expires_in?: number;
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
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
