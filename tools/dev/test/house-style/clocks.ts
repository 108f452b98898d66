/**
 * Where product code reads the clock of its process, how often, and why that is right. Whatever deletes, expires or sums up goes by `now()` in a
 * statement instead; a duration within a process is measured by `performance.now()`. A name that ends with `/` is a folder.
 */
export const PROCESS_CLOCKS: Record<string, { times: number; why: string }> = {
  'packages/billing/src/invoice/read-invoice.ts': {
    times: 1,
    why: 'names the month that is shown where none is asked for',
  },
  'packages/identity/src/keys/key-uses.ts': {
    times: 1,
    why: 'shows when a key was last used; the statement cuts it off at now()',
  },
  'packages/channels/src/change-settings.ts': {
    times: 1,
    why: 'judges a change before it is written; a trigger refuses a late one',
  },
  'packages/channels/src/channel-history.ts': { times: 1, why: 'draws a chart over the ids that processes made' },
  'packages/channels/src/channel-paces.ts': {
    times: 1,
    why: 'guesses the pace of a vendor by the ids of the last five seconds',
  },
  'packages/channels/src/list-retirements.ts': { times: 1, why: 'shows the days that a model is served for' },
  'packages/contracts/src/ids.ts': { times: 3, why: 'makes ids; who reads them by age allows for an hour (CLOCKS_MS)' },
  'packages/database/src/clock-ahead.ts': { times: 2, why: "compares the process's clock with the database's" },
  'packages/host/src/log/logger.ts': { times: 1, why: 'stamps a line of the log' },
  'packages/media/src/direct-uploads.ts': {
    times: 1,
    why: 'refuses a late upload; the table Clocks of ARCHITECTURE.md',
  },
  'packages/media/src/own-media.ts': { times: 1, why: 'refuses an expired file; the table Clocks of ARCHITECTURE.md' },
  'packages/media/src/stale-files.ts': { times: 1, why: 'compares times of files on a disk of the same machine' },
  'packages/media/src/storage/s3.ts': {
    times: 1,
    why: 'signs a request, which the storage compares with its own clock',
  },
  'packages/tasks/src/callback-tokens.ts': {
    times: 1,
    why: 'refuses a token of seven days, many times what any task may take',
  },
  'packages/host/src/tracing/spans.ts': { times: 1, why: 'stamps a span' },
  'packages/upstreams/': {
    times: 21,
    why: 'ages of jobs at vendors, for the pause between checks; signatures that vendors check',
  },
  'packages/identity/src/users/own-proofs.ts': { times: 1, why: 'compares a code with the clock of a telephone' },
  'packages/identity/src/users/sign-in.ts': { times: 1, why: 'compares a code with the clock of a telephone' },
  'packages/worker-runtime/src/open-media.ts': {
    times: 1,
    why: 'a certificate has ended by the clock of whoever signs',
  },
  'packages/worker-runtime/src/steps/check-attempt.ts': { times: 2, why: 'a pause between checks is a guess' },
  'packages/tasks/src/retry-task.ts': { times: 1, why: 'tells one job of the queue from the next' },
  'services/api/src/http/access/authenticate.ts': {
    times: 1,
    why: 'a key that only reads; the table Clocks of ARCHITECTURE.md',
  },
  'services/api/src/http/fields/query-time.ts': {
    times: 2,
    why: 'ends a report that is asked for without an end, and names the month of an invoice that is asked for without one',
  },
  'services/api/src/routes/public/files/file-records.ts': {
    times: 1,
    why: 'shows a file as gone; the table Clocks of ARCHITECTURE.md',
  },
  'services/api/src/routes/public/files/serve-file.ts': { times: 1, why: 'says how long a browser may keep a file' },
  'services/api/src/http/fields/key-fields.ts': { times: 1, why: 'refuses a past expiry; the database ends keys' },
  'services/api/src/routes/public/openai/chat/send-chat.ts': { times: 1, why: 'shows when an answer was made' },
  'services/api/src/routes/public/openai/responses/response-record.ts': { times: 1, why: 'shows when it was made' },
  'services/api/src/use-cases/brief-links.ts': { times: 1, why: 'signs a link, which a process judges' },
  'services/api/src/use-cases/save-upload.ts': { times: 1, why: 'says when to try again' },
  'services/api/src/use-cases/troubles/list-troubles.ts': { times: 1, why: 'shows since when the oldest work is due' },
  'packages/callbacks/src/test-callback.ts': { times: 1, why: 'stamps a callback that is no row' },
  'services/console/src/health/probe-process.ts': { times: 1, why: 'shows figures of a process' },
  'packages/callbacks/src/deliver.ts': { times: 1, why: 'tells one job of the queue from the next' },
  'tools/cli/src/actions/listen.ts': { times: 1, why: 'shows when a callback came' },
  'tools/cli/src/actions/report.ts': { times: 1, why: 'ends a report that is asked for without an end' },
  'tools/cli/src/doctor/': {
    times: 5,
    why: 'compares clocks, and says how old a backup is and how long a certificate counts',
  },
  'tools/cli/src/option-values.ts': { times: 1, why: 'refuses a time in the past before the database does' },
  'tools/cli/src/verify/': { times: 2, why: 'dates a report' },
};
