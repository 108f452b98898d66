import { types } from 'node:util';
import type { Database } from '@mediagate/database';
import type { Config, ListedVariable } from '@mediagate/host';
import type { QueueCounts, Queues, RedisServer } from '@mediagate/queue';
import { cliSettings } from './config';
import { type Deployment, findDeployment } from './deployment';
import * as packages from './packages';
import { Refusal } from './refusal';

/** The surroundings of the command line: the process's own in `main`, a test's elsewhere. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  /** Results, and nothing else. */
  stdout(text: string): void;
  stderr(text: string): void;
  /** All that the standard input has: secrets come from there, never as words of a command. */
  stdin(): Promise<string>;
  /** The user of the operating system; the audit log names them as who did it. */
  userName: string;
}

/** The outcome of one command, for machines and for people. */
export interface Answer {
  json: unknown;
  text: string;
  /** True: there is something to mend, and the process ends with code 1. */
  faulty?: boolean;
}

/**
 * One command's settings and connections: read and opened when they are first needed, closed at the end. So are the packages
 * behind them loaded: those for the database and the queues take longer than most commands.
 */
export interface Session {
  /** @throws ConfigError */
  readonly deployment: Deployment;
  /** @throws ConfigError */
  readonly creditsPerUnit: number;
  readonly actor: string;
  readonly env: Surroundings['env'];
  /** Variables of the environment, without secrets. */
  variables(): ListedVariable[];
  /** The configuration file that the command line names; undefined: it names none. */
  useConfigFile(path: string | undefined): void;
  /**
   * Opens it at the first call, whose limit holds for all of the command: for a statement, by default a minute, and for the wait
   * for a connection.
   *
   * @throws Refusal in words for the operator: not reachable, not migrated.
   */
  openDatabase(withinMs?: number): Promise<Database>;
  /** Enqueues jobs in Redis. That may fail: the reconciler finds the row within seconds. */
  enqueue(send: (queues: Queues) => Promise<void>): Promise<void>;
  /** Undefined, with a warning: Redis does not answer. */
  countJobs(): Promise<QueueCounts[] | undefined>;
  /** None: Redis does not answer, or is not known. */
  describeRedis(): Promise<RedisServer[]>;
  /** Removes all jobs from Redis, which after a restore may name tasks that no longer exist. That may fail, too: the row decides. */
  clearQueues(): Promise<void>;
  /** Whether answers are printed as JSON, and not as text. */
  useJson(asked: boolean): void;
  print(answer: Answer): void;
  warn(sentence: string): void;
  readInput(): Promise<string>;
  exitCode(): number;
  close(): Promise<void>;
}

const CONNECTION = { poolSize: 1, applicationName: 'mediagate-cli' };
/** For questions that are asked at once, each with a limit of time. */
const CONNECTIONS_AT_ONCE = 4;
const STATEMENT_TIMEOUT_MS = 60_000;

export function openSession({ env, stdout, stderr, stdin, userName }: Surroundings): Session {
  let loaded: Config<typeof cliSettings> | undefined;
  const config = () => (loaded ??= packages.host().loadConfig(cliSettings, env as NodeJS.ProcessEnv));
  const closers: (() => Promise<void>)[] = [];
  let configFile: string | undefined;
  let opened: Promise<Database> | undefined;
  const warn = (sentence: string) => stderr(`mediagate: ${sentence}\n`);

  const deployment = () => findDeployment(config(), env, configFile);
  const inQueues = (work: QueueWork, otherwise: string) =>
    useQueues(work, { redisUrl: deployment().redisUrl(), prefix: config().REDIS_PREFIX, closers, warn, otherwise });

  return {
    get deployment() {
      return deployment();
    },
    get creditsPerUnit() {
      return config().CREDITS_PER_UNIT;
    },
    readInput: stdin,
    actor: `cli:${userName}`,
    env,
    variables: () => packages.host().listVariables(cliSettings, config(), env),
    useConfigFile(path) {
      configFile = path;
    },
    openDatabase: (withinMs) => (opened ??= openMigrated(deployment().databaseUrl(), { closers, withinMs })),
    enqueue: (send) => inQueues(send, 'the reconciler goes on with it within seconds'),
    countJobs: () => askQueues(inQueues, (queues) => queues.counts()),
    describeRedis: async () => (await askQueues(inQueues, (queues) => queues.servers())) ?? [],
    clearQueues: () => inQueues((queues) => queues.clear(), 'its jobs stay, and change nothing'),
    ...printTo(stdout),
    warn,
    async close() {
      await Promise.all(closers.map((close) => close()));
    },
  };
}

function printTo(stdout: Surroundings['stdout']): Pick<Session, 'useJson' | 'print' | 'exitCode'> {
  let asJson = false;
  let exitCode = 0;
  return {
    useJson(asked) {
      asJson = asked;
    },
    print({ json, text, faulty }) {
      stdout(`${asJson ? JSON.stringify(json, undefined, 2) : text}\n`);
      if (faulty) exitCode = 1;
    },
    exitCode: () => exitCode,
  };
}

async function openMigrated(
  url: string,
  { closers, withinMs }: { closers: (() => Promise<void>)[]; withinMs: number | undefined },
): Promise<Database> {
  const limits = { statementTimeoutMs: withinMs ?? STATEMENT_TIMEOUT_MS, connectTimeoutMs: withinMs };
  const poolSize = withinMs === undefined ? CONNECTION.poolSize : CONNECTIONS_AT_ONCE;
  const opened = packages.database().openDatabase({ url, ...CONNECTION, poolSize, ...limits });
  closers.push(() => opened.close());
  await requireMigrated(opened, url);
  return opened;
}

/** Undefined: Redis does not answer. */
async function askQueues<Answer>(
  inQueues: (work: QueueWork, otherwise: string) => Promise<void>,
  ask: (queues: Queues) => Promise<Answer>,
): Promise<Answer | undefined> {
  let answer: Answer | undefined;
  await inQueues(async (queues) => {
    answer = await ask(queues);
  }, 'only the rows are known');
  return answer;
}

type QueueWork = (queues: Queues) => Promise<void>;

interface QueuePlace {
  redisUrl: string | undefined;
  prefix: string;
  closers: (() => Promise<void>)[];
  warn(sentence: string): void;
  /** Says what becomes of the work without Redis. */
  otherwise: string;
}

async function useQueues(work: QueueWork, place: QueuePlace): Promise<void> {
  const { redisUrl, prefix, closers, warn, otherwise } = place;
  if (redisUrl === undefined) return warn(`REDIS_URL is not set: ${otherwise}`);
  const queues = packages.queue().openQueues({ redisUrl, prefix });
  const worked = work(queues).catch(() => warn(`Redis does not answer: ${otherwise}`));
  // Whoever does not wait for the work has it done before the session ends.
  closers.push(() => worked.then(() => queues.close()));
  await worked;
}

async function requireMigrated(database: Database, url: string): Promise<void> {
  let rows: { migrated: boolean }[];
  try {
    rows = await database.readIsMigrated();
  } catch (error) {
    throw new Refusal(`the database ${databaseName(url)} cannot be used: ${reasonOf(error)}`);
  }
  if (!rows[0]?.migrated)
    throw new Refusal(`the database ${databaseName(url)} has no tables yet: run \`npx mediagate migrate\``);
}

/** Host, port and name, never the password. */
export function databaseName(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

/** The innermost cause in a few words. A refused connection to several addresses has a code and no message. */
export function reasonOf(error: unknown): string {
  // Not `instanceof`: the driver's errors may come from another realm.
  if (!types.isNativeError(error)) return String(error);
  if (types.isNativeError(error.cause)) return reasonOf(error.cause);
  const { code } = error as NodeJS.ErrnoException;
  const message = error.message.replace(PRISMA_CALL, '');
  return message === '' ? (code ?? error.name) : message;
}

/** Prisma says on lines of its own which of its calls failed, before the database's words. */
const PRISMA_CALL = /^\s*Invalid `prisma\.[^`]*` invocation:\s*/;
