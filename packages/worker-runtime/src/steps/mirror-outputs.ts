import { endpointOf } from '@mediagate/channels';
import { type RetryOptions, retry } from '@mediagate/concurrency';
import type { Output } from '@mediagate/contracts';
import { inSpan } from '@mediagate/host';
import { type MediaToSave, OutputError, type OutputSource, StorageUnavailableError } from '@mediagate/media';
import type { InputFile, SourceType } from '@mediagate/provenance';
import { backoffMs } from '../backoff';
import { mayFailAgain } from '../failed-steps';
import { filesPerResult, type MarkedOutput, markOutput, UnmarkedError } from '../mark-result';
import { isOutage, outliveOutage } from '../outage';
import { originsOfPart, readWhileStored } from '../output-origin';
import type { StoredOutput } from '../profile';
import { type CurrentAttempt, isAccepted, type Produced, type Run } from '../run-state';
import { savedAnswer } from '../saved-answer';
import type { WorkerDeps } from '../worker-deps';
import { NOT_KEPT, waitForStorage } from './await-storage';
import { nameInputs } from './name-inputs';

/** Limit for a job that names no number: more than any vendor makes, with covers and all parts of a track. */
export const MOST_OUTPUTS = 32;
const FETCH_TRIES = 3;
/** Over some 15 s. */
const SAVE_TRIES = 5;
/** Between two tries to store what only this step has; and before its deadline, so that the task can still say why it ends. */
const STORAGE_PAUSES = { firstPauseMs: 1000, maxPauseMs: 15_000 };
const LAST_MS = 5000;

/**
 * Fetches every output, judges it by its bytes and stores it under a link of our own. The task is billed for the outputs
 * stored, whatever the upstream reports; a job without files is billed for its facts. Files of roles that make no result of
 * the family are left out. A task whose results lack the mark that the operator wants fails with a refund.
 *
 * If no output is usable:
 * - the task fails where each file is known and asking again would change nothing;
 * - an accepted job of which a file may still come is looked at again until its deadline;
 * - any other accepted job is asked for fresh links a few times, unless its links stand in its row (`savedAnswer`);
 * - any other task fails with a refund.
 */
export async function mirrorOutputs(run: Run, deps: WorkerDeps): Promise<Run> {
  const { produced, current } = run;
  if (!produced || !current) return run;
  if (!isAccepted(run)) return mirrorAll(run, deps, { produced, current });
  const slot = deps.slots.results.tryTake({ owner: run.task, keys: [current.channel.id] });
  if (!slot) return { ...run, outcome: fetchSoon };
  return mirrorAll(run, deps, { produced, current }).finally(slot.release);
}

/** The account, the channel or test work has its share of results being fetched: this one waits at the upstream for a moment. */
const fetchSoon = { kind: 'waiting', phase: 'running', checkAfterMs: 2000, failedStep: false } as const;

async function mirrorAll(
  run: Run,
  deps: WorkerDeps,
  made: { produced: Produced; current: CurrentAttempt },
): Promise<Run> {
  const { produced, current } = made;
  const faults: OutputFault[] = [];
  const outputs: StoredOutput[] = [];
  const wanted = produced.outputs.filter(({ role }) => role === 'cover' || deps.profile.resultRoles.includes(role));
  if (wanted.length > 0 && isAccepted(run) && deps.whyNotKept(run.task)) {
    return { ...run, outcome: waitForStorage(run) };
  }
  const named = { ...run, inputs: await nameInputs(run, deps) };
  for (const output of asked(wanted, run, deps)) {
    try {
      outputs.push(...(await mirror(output, named, deps, sourceOf(run, current, deps))));
    } catch (error) {
      if (run.signal.aborted) return { ...run, outcome: { kind: 'lost', usage: produced.usage } };
      if (error instanceof StorageUnavailableError) {
        return { ...run, outcome: isAccepted(run) ? waitForStorage(run) : NOT_KEPT };
      }
      if (!(error instanceof OutputError)) throw error;
      const isFinal = error instanceof UnmarkedError;
      faults.push({ message: error.message, mayComeLater: mayComeLater(output, error), isFinal });
    }
  }
  const { facts, usage, requestIds } = produced;
  const isAllFacts = facts !== undefined && produced.outputs.length === 0;
  // A cover alone is no result.
  if (outputs.some(({ role }) => role !== 'cover') || isAllFacts) {
    return { ...run, outcome: { kind: 'succeeded', outputs, facts: facts ?? {}, usage, requestIds } };
  }
  const roles = [...new Set(produced.outputs.map(({ role }) => role))].join(', ');
  const given = roles === '' ? 'none was given' : `only ${roles} was given`;
  return { ...run, outcome: withoutOutput(run, faults, { requestIds, given }) };
}

/** No more than was asked for: each is fetched, stored and named to the caller. */
function asked(outputs: readonly Output[], { task, entry }: Run, { logger }: WorkerDeps): readonly Output[] {
  const most = entry.outputsAsked(task.input) ?? MOST_OUTPUTS;
  if (outputs.length > most) {
    const detail = `${outputs.length} outputs, of which the first ${most} are kept`;
    logger.warn('output.imperfect', { taskId: task.id, detail });
  }
  return outputs.slice(0, most);
}

function sourceOf({ task, signal }: Run, { channel, adapter }: CurrentAttempt, deps: WorkerDeps): OutputSource {
  const { credentials } = adapter;
  const { baseUrl: channelBaseUrl } = channel;
  const source = {
    owner: task,
    channelBaseUrl,
    mustBePublic: deps.mustBePublic(new URL(channelBaseUrl).origin),
    filesPerResult: filesPerResult(deps.marksOf(task).marks),
    signal,
  };
  if (credentials === undefined) return source;
  return { ...source, showKey: () => credentials.show({ endpoint: endpointOf(channel, task.model), signal }) };
}

/** `isFinal`: the vendor's part is done and the file is known, so that asking again changes nothing. */
type OutputFault = Pick<OutputError, 'message' | 'mayComeLater'> & { isFinal: boolean };

/** Bytes that stood in an answer itself stay what they are. */
function mayComeLater({ url }: Output, error: OutputError): boolean {
  return url !== undefined && error.mayComeLater;
}

function withoutOutput(
  run: Run,
  faults: readonly OutputFault[],
  { requestIds, given }: { requestIds: string[]; given: string },
): NonNullable<Run['outcome']> {
  const detail = `no usable output: ${faults[0]?.message ?? given}`.slice(0, 500);
  if (faults.length > 0 && faults.every(({ isFinal }) => isFinal)) {
    return { kind: 'failed', reason: 'result_unavailable', detail, requestIds };
  }
  const isAskedAgain = savedAnswer(run) === undefined && mayFailAgain(run.task);
  const isWorthChecking = faults.some((fault) => fault.mayComeLater) || isAskedAgain;
  if (isAccepted(run) && faults.length > 0 && isWorthChecking) {
    const checkAfterMs = backoffMs(run.task.failedSteps);
    const fault = { code: 'upstream_fault' as const, detail };
    return { kind: 'waiting', phase: 'running', checkAfterMs, failedStep: true, fault };
  }
  const fault = { code: 'outcome_unknown' as const, detail };
  return { kind: 'failed', reason: 'result_unavailable', fault, requestIds };
}

type Named = Run & { inputs: InputFile[] };

/** The output as it is stored, followed by the parts that were cut out of it. */
async function mirror(output: Output, run: Named, deps: WorkerDeps, source: OutputSource): Promise<StoredOutput[]> {
  const fetchOnce = () => deps.fetchOutput(output, source);
  const fetched = await inSpan('media.fetch', { attributes: () => ({ 'mediagate.role': output.role }) }, () =>
    untilStored(() => patiently(fetchOnce, { ...FETCH_PATIENCE, signal: run.signal }), run),
  );
  try {
    for (const detail of fetched.faults) deps.logger.warn('output.imperfect', { taskId: run.task.id, detail });
    const save = saverFor(run, deps);
    const reader = { taskId: run.task.id, logger: deps.logger };
    const marked = await markOutput(fetched, markerFor(output, run, deps));
    const [stored, origins] = await readWhileStored(fetched, reader, () => storeMain(marked, save));
    const main = { ...stored, ...origins };
    const parts = (await storeParts(marked, save)).map((part) => ({ ...part, ...originsOfPart(origins) }));
    const files = [output.facts === undefined ? main : { ...main, facts: output.facts }, ...parts];
    return (await deps.fingerprints?.addHashes(files, [marked, ...(marked.parts ?? [])], run)) ?? files;
  } finally {
    await fetched.dispose();
  }
}

/** The next step has the links again, so only a moment is waited here. */
const FETCH_PATIENCE = {
  tries: FETCH_TRIES,
  isWorthRetrying: (error: unknown) => error instanceof OutputError && error.transient,
};

type File = Pick<MarkedOutput, 'bytes' | 'contentType' | 'width' | 'height' | 'mark'>;
type Saved = Pick<StoredOutput, 'url' | 'contentType' | 'expiresAt' | 'sha256' | 'width' | 'height' | 'mark'>;
type Save = (file: File) => Promise<Saved>;

/** Undefined: nobody wants marks. */
function markerFor({ role }: Output, run: Named, deps: WorkerDeps): Parameters<typeof markOutput>[1] {
  const policy = deps.marksOf(run.task);
  if (policy.marks === 'off') return undefined;
  const result = { ...policy, type: sourceTypeOf(role, run), taskId: run.task.id, inputs: run.inputs };
  return (file) => deps.markResult(file, result);
}

function saverFor(run: Run, { store }: WorkerDeps): Save {
  const { task, entry, signal } = run;
  const { accountId, id: taskId, isTest, keyId } = task;
  // Nobody pays for results of test keys: they count against the quota of uploads.
  const counted = isTest ? { keyId } : {};
  const owner = { accountId, taskId, ...counted, purpose: 'result', lifetimeMs: entry.resultLifetimeMs } as const;
  return async (file) => {
    const { bytes, contentType, mark, ...image } = file;
    const media: MediaToSave = { ...owner, bytes, contentType, ...pixelsOf(image) };
    const patience = { tries: SAVE_TRIES, signal, isWorthRetrying: (error: unknown) => !isWaitedFor(error, run) };
    const { url, expiresAt, sha256 } = await inSpan(
      'media.store',
      { attributes: () => ({ 'mediagate.media_type': contentType }) },
      () => untilStored(() => patiently(() => store.save(media), patience), run),
    );
    return { url, contentType, expiresAt, sha256, ...pixelsOf(image), ...(mark && { mark }) };
  };
}

/** Undefined: no model made it. Callers bring no covers. */
function sourceTypeOf(role: Output['role'], { entry, task }: Run): SourceType | undefined {
  const part = entry.callersPart(task.input);
  if (part === 'all' && role !== 'cover') return undefined;
  return part === 'none' ? 'trainedAlgorithmicMedia' : 'compositeWithTrainedAlgorithmicMedia';
}

async function storeMain(output: MarkedOutput, save: Save): Promise<StoredOutput> {
  const { role, seconds, cover } = output;
  const saved = await save(output);
  const coverUrl = cover && (await save(cover)).url;
  return {
    role,
    ...saved,
    ...(seconds === undefined ? {} : { seconds }),
    ...(coverUrl === undefined ? {} : { coverUrl }),
  };
}

async function storeParts({ role, parts = [] }: MarkedOutput, save: Save): Promise<StoredOutput[]> {
  const stored: StoredOutput[] = [];
  for (const part of parts) stored.push({ role, ...(await save(part)), facts: part.facts });
  return stored;
}

function pixelsOf({ width, height }: { width?: number; height?: number }): { width?: number; height?: number } {
  return width === undefined || height === undefined ? {} : { width, height };
}

/** The answer to a start is in this step alone: it waits for the storage until its deadline. An accepted job is asked again. */
function untilStored<T>(work: () => Promise<T>, run: Run): Promise<T> {
  const isWorthRetrying = (error: unknown) => isWaitedFor(error, run);
  const withinMs = Math.max(0, run.msLeft() - LAST_MS);
  return retry(work, { ...STORAGE_PAUSES, withinMs, signal: run.signal, isWorthRetrying });
}

function isWaitedFor(error: unknown, run: Run): boolean {
  return error instanceof StorageUnavailableError && !isAccepted(run);
}

type Patience = Pick<RetryOptions, 'tries' | 'isWorthRetrying'> & { signal: AbortSignal };

/** The database is waited for as long as the step may run; any other error ends the work within its bounds. */
function patiently<T>(work: () => Promise<T>, { signal, isWorthRetrying, ...bounds }: Patience): Promise<T> {
  const isOurs = (error: unknown) => !isOutage(error) && isWorthRetrying(error);
  const pauses = { firstPauseMs: 750, maxPauseMs: 30_000 };
  return outliveOutage(() => retry(work, { ...pauses, ...bounds, signal, isWorthRetrying: isOurs }), { signal });
}
