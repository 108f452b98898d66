import { endpointOf } from '@mediagate/channels';
import type { Output } from '@mediagate/contracts';
import { inSpan } from '@mediagate/host';
import { OutputError, type OutputSource, StorageUnavailableError } from '@mediagate/media';
import type { InputFile, ProvenanceSource, SourceType } from '@mediagate/provenance';
import { savedAnswer } from '../attempt-end';
import { mayFailAgain } from '../failed-steps';
import { filesPerResult, type MarkedOutput, markOutput, UnmarkedError } from '../mark-result';
import { originsOf, readParentOf, readWhileStored } from '../output-origin';
import { backoffMs } from '../pauses';
import type { StoredOutput } from '../profile';
import { type CurrentAttempt, isAccepted, type Produced, type Run } from '../run-state';
import type { WorkerDeps } from '../worker-deps';
import { NOT_KEPT, waitForStorage } from './await-storage';
import { nameInputs } from './name-inputs';
import { patiently, type Save, saverFor, untilStored } from './save-output';

/** Limit for a job that names no number: more than any vendor makes, with covers and all parts of a track. */
export const MOST_OUTPUTS = 32;
const FETCH_TRIES = 3;

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
    const parent = await readParentOf(fetched, deps.marksOf(run.task), reader);
    const marked = await markOutput(fetched, markerFor(output, run, deps), parent);
    const [stored, sources] = await readWhileStored(fetched, reader, () => storeMain(marked, save));
    const main = { ...stored, ...originsOf(sources, marked) };
    const parts = await storeParts(marked, save, sources);
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

/** Undefined: nobody wants marks. */
function markerFor({ role }: Output, run: Named, deps: WorkerDeps): Parameters<typeof markOutput>[1] {
  const policy = deps.marksOf(run.task);
  if (policy.marks === 'off') return undefined;
  const result = { ...policy, type: sourceTypeOf(role, run), taskId: run.task.id, inputs: run.inputs };
  return (file) => deps.markResult(file, result);
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

async function storeParts(output: MarkedOutput, save: Save, sources: ProvenanceSource[]): Promise<StoredOutput[]> {
  const { role, parts = [] } = output;
  const stored: StoredOutput[] = [];
  for (const part of parts) {
    stored.push({ role, ...(await save(part)), facts: part.facts, ...originsOf(sources, part) });
  }
  return stored;
}
