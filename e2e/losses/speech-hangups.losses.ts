import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { JournalEntry } from '../../simulator/src/journal/journal';
import { answers } from '../system/judged-answers';
import { type System, type SystemAccount, startSystem } from '../system/start-system';

const SPEECH_PATH = '/v1/audio/speech';
const SPEECHES = 500;
const AT_ONCE = 80;
const ACCOUNTS = 5;
/** The worker dies when the vendor has been asked so often. */
const ASKED_AT_DEATH = 200;
const UNIT = 1_000_000_000n;
const NANO_A_CHARACTER = 15_000n;
const SEED = 20_261_121;

/** In milliseconds: a stop that waited for a connection or a speech would take until the end of its drain, and be killed before. */
const IDLE_STOP_MS = 20_000;

let system: System<'api' | 'tts' | 'reconciler'>;
beforeAll(async () => {
  system = await startSystem({ services: ['api', 'tts', 'reconciler'] });
});
afterAll(() => system.stop());

/** When a caller hangs up: some milliseconds after asking, with the head of the answer, or after a share of its bytes. */
type HangUp = { afterMs: number } | { afterBytes: number };

interface Plan {
  /** Unlike any other. */
  input: string;
  isCut: boolean;
  hangUp: HangUp | undefined;
  account: SystemAccount;
}

/** How it looked to the caller. */
type Seen = 'whole' | 'broken' | 'refused' | 'hung_up' | 'hung_up_hearing';

/** How one call looked to its caller, and when it began and ended by the test's clock. */
interface Heard {
  seen: Seen;
  fromMs: number;
  toMs: number;
}

it('500 speeches, a tenth of the callers hanging up, upstreams cut and a worker killed: every account is right to the nano-unit', async () => {
  const survivor = await system.another('tts');
  const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => system.account(UNIT)));
  const plans = plan(accounts, randomFrom(SEED));

  const dying = system.simulator.asked(ASKED_AT_DEATH).then(() => killWorker());
  const heard = await inTurns(plans, AT_ONCE, timed(call));
  const death = await dying;
  const seen = heard.map((one) => one.seen);

  await everyTaskEnded();
  const tasks = await system.database.task.findMany();
  const ofInput = new Map(tasks.map((task) => [(task.input as { input: string }).input, task]));
  const journal = await system.simulator.journal();
  const callsOf = groupByPrompt(journal);

  const wrong = plans.flatMap((planned, index) => {
    const task = ofInput.get(planned.input);
    const calls = callsOf.get(planned.input) ?? [];
    const problem = problemOf({
      planned,
      seen: seen[index] as Seen,
      isOfDeath: isWithin(heard[index] as Heard, death),
      status: task?.status,
      cost: task?.costNano,
      calls,
    });
    return problem === undefined ? [] : [{ input: planned.input, seen: seen[index], status: task?.status, problem }];
  });
  expect(wrong).toEqual([]);

  const count = (what: Seen) => seen.filter((one) => one === what).length;
  expect(count('hung_up') + count('hung_up_hearing')).toBe(SPEECHES / 10);
  expect(count('hung_up')).toBeGreaterThan(0);
  expect(count('hung_up_hearing')).toBeGreaterThan(0);
  expect(count('whole')).toBeGreaterThan(SPEECHES / 2);
  expect(count('broken')).toBeGreaterThanOrEqual(SPEECHES / 20);

  for (const { accountId } of accounts) {
    const settled = tasks
      .filter((task) => task.accountId === accountId && task.status === 'completed')
      .reduce((sum, { input }) => sum + priceOf((input as { input: string }).input), 0n);
    const account = await system.database.account.findUniqueOrThrow({ where: { id: accountId } });
    expect(account).toMatchObject({ heldNano: 0n, settledNano: settled });
  }
  expect(await system.audit()).toEqual([]);

  expect((await system.simulator.open(0)).calls).toEqual([]);
  expect(await Promise.all([system.services.api.stop(IDLE_STOP_MS), survivor.stop(IDLE_STOP_MS)])).toEqual([0, 0]);
});

/** The contradiction between plan, answer, task and vendor's calls; undefined when there is none. */
function problemOf(of: {
  planned: Plan;
  seen: Seen;
  /** The call was under way when the worker died, or had ended shortly before. */
  isOfDeath: boolean;
  status: string | undefined;
  cost: bigint | null | undefined;
  calls: JournalEntry[];
}): string | undefined {
  const { planned, seen, isOfDeath, status, cost, calls } = of;
  if (calls.filter(({ accepted }) => accepted).length > 1) return 'the vendor was asked twice';
  if (status === undefined) return seen === 'hung_up' && calls.length === 0 ? undefined : 'there is no task';
  if (status === 'completed' && cost !== priceOf(planned.input)) return `it cost ${cost}`;
  if (status === 'failed' && cost !== 0n) return `it failed and cost ${cost}`;
  const isPaid = status === 'completed';
  switch (seen) {
    case 'whole':
      return isPaid && !planned.isCut ? undefined : 'a whole answer must be paid';
    case 'broken':
    case 'refused':
      return isPaid ? 'what broke must not be paid' : undefined;
    case 'hung_up':
      if (isOfDeath || isPaid === calls.some(({ accepted }) => accepted)) return undefined;
      return isPaid ? 'paid, and no vendor was asked' : 'the vendor was asked, and nobody paid';
    case 'hung_up_hearing':
      return isPaid || planned.isCut || isOfDeath ? undefined : 'what was heard must be paid';
    default:
      return seen satisfies never;
  }
}

interface Death {
  fromMs: number;
  toMs: number;
}

/** Within which the end of a speech is written after its caller has gone, and a dead worker's is found out. */
const AFTER_MS = 2_000;

async function killWorker(): Promise<Death> {
  const fromMs = performance.now();
  await system.services.tts.kill();
  return { fromMs, toMs: performance.now() };
}

function isWithin({ fromMs, toMs }: Heard, death: Death): boolean {
  return fromMs < death.toMs && toMs + AFTER_MS > death.fromMs;
}

function timed(work: (planned: Plan) => Promise<Seen>): (planned: Plan) => Promise<Heard> {
  return async (planned) => {
    const fromMs = performance.now();
    return { seen: await work(planned), fromMs, toMs: performance.now() };
  };
}

function priceOf(input: string): bigint {
  return BigInt(Array.from(input).length) * NANO_A_CHARACTER;
}

/** Every twentieth upstream is cut, every tenth caller hangs up, at moments that are the same in every run. */
function plan(accounts: readonly SystemAccount[], random: () => number): Plan[] {
  return Array.from({ length: SPEECHES }, (_, index) => {
    const isCut = index % 20 === 7;
    // One reading serves all: the vendor reads what stands before the directive, and takes as long as that says.
    const faults = isCut ? `latency=${index}ms,stream-cut=1/2` : `slow-body=${200 + index}ms`;
    return {
      input: `Land ahoy. [[sim:${faults}]]`,
      isCut,
      hangUp: index % 10 === 3 ? hangUpAt(random) : undefined,
      account: accounts[index % accounts.length] as SystemAccount,
    };
  });
}

function hangUpAt(random: () => number): HangUp {
  return random() < 0.5 ? { afterMs: Math.floor(random() * 300) } : { afterBytes: Math.floor(random() * 30_000) };
}

/** Mulberry32: the same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

async function inTurns<T, R>(items: readonly T[], atOnce: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index] as T);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

/** One caller on a connection of its own. Resolves when that connection is gone. */
async function call({ input, hangUp, account }: Plan): Promise<Seen> {
  const sent = request(system.baseUrl + SPEECH_PATH, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json', connection: 'close' },
  });
  const closed = closeOf(sent);
  sent.end(JSON.stringify({ model: 'ttsmodel-mini', voice: 'coral', input }));
  const seen = hangUp ? await leave(sent, hangUp) : await hear(sent);
  await closed;
  return seen;
}

async function leave(sent: ClientRequest, hangUp: HangUp): Promise<Seen> {
  let heard = 0;
  if ('afterMs' in hangUp) await delay(hangUp.afterMs);
  else {
    const response = await headOf(sent);
    response.on('data', (part: Buffer) => {
      heard += part.length;
      if (heard >= hangUp.afterBytes) sent.destroy();
    });
    await closeOf(response);
  }
  sent.destroy();
  return heard > 0 ? 'hung_up_hearing' : 'hung_up';
}

async function hear(sent: ClientRequest): Promise<Seen> {
  const response = await headOf(sent);
  response.resume();
  await closeOf(response);
  if (response.statusCode !== 200) return 'refused';
  return response.complete ? 'whole' : 'broken';
}

async function headOf(sent: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { statusCode: status = 0, headers } = response;
  answers.see({ method: 'POST', url: SPEECH_PATH, status, headers });
  return response;
}

/** However it ends: what broke is seen by what came. */
function closeOf(stream: ClientRequest | IncomingMessage): Promise<void> {
  stream.on('error', () => undefined);
  return new Promise((resolve) => stream.once('close', () => resolve()));
}

/** A caller who hung up gets no outcome. */
async function everyTaskEnded(): Promise<void> {
  const limit = Date.now() + 120_000;
  while ((await system.database.task.count({ where: { status: { notIn: ['completed', 'failed'] } } })) > 0) {
    if (Date.now() > limit) throw new Error('a task has not ended');
    await delay(50);
  }
}

function groupByPrompt(journal: readonly JournalEntry[]): Map<string, JournalEntry[]> {
  const groups = new Map<string, JournalEntry[]>();
  for (const entry of journal) {
    const prompt = entry.prompt ?? '';
    groups.set(prompt, [...(groups.get(prompt) ?? []), entry]);
  }
  return groups;
}
