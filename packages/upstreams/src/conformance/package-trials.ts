import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { createAdapters } from '../adapters';
import type { Adapter } from '../contract';
import { createHttpClient, type HttpClient } from '../http-client';
import type { LoadedProtocol } from '../load-protocol';
import { requires } from './expectations';
import { callContext, named, readFixtures, startRequest } from './fixtures';
import { conformanceTrials } from './suite';
import type { Conformance, Trial } from './trial';

/** `judge.js` of a package: a client of the vendor that knows nothing of the adapter. */
interface Judge {
  suite: Conformance;
  /** Rejects where the place is not as the vendor documents it. */
  default(place: Place): Promise<void>;
}

/** `simulator.js` of a package: a stand-in for the vendor. */
interface Simulator {
  key: string;
  model: string;
  default(): Server;
}

type LoadedPackage = Exclude<LoadedProtocol, { fault: string }>;

interface Place {
  baseUrl: string;
  key: string;
  model: string;
}

/**
 * All that a package has to keep: the rule of its imports, as far as its text shows them, the suite over the fixtures beside its main
 * file, and that adapter, simulator and judge mean the same vendor. Throws where one of these files cannot be loaded.
 */
export function packageTrials({ protocol, file, protocols }: LoadedPackage): Trial[] {
  const folder = dirname(file);
  const load = createRequire(file);
  const judge: Judge = load('./judge.js');
  const simulator: Simulator = load('./simulator.js');
  const create = (http: HttpClient): Adapter => {
    const adapter = createAdapters({ http }, protocols).get(protocol);
    if (adapter === undefined) throw new Error(`no adapter ${protocol}`);
    return adapter;
  };
  const fixtures = readFixtures(join(folder, 'fixtures'));
  return [
    { name: 'names no module but its own files', run: async () => requireOwnFiles(file, folder) },
    ...conformanceTrials(create, fixtures, judge.suite),
    {
      name: 'the judge finds the simulator as the vendor is',
      run: () => atSimulator(simulator, judge.suite, (place) => judge.default(place)),
    },
    {
      name: 'the fixture success runs at the simulator to its end',
      run: () =>
        atSimulator(simulator, judge.suite, async ({ baseUrl, key: apiKey, model }) => {
          const success = named(fixtures, 'success');
          const { endpoint, signal } = callContext(baseUrl, success.options ?? {}, { model });
          const context = { endpoint: { ...endpoint, apiKey }, signal };
          await runJob(create, (adapter) => adapter.start(startRequest(success, success), context), context);
        }),
    },
  ];
}

async function atSimulator(
  { default: create, key, model }: Simulator,
  { basePath }: Conformance,
  work: (place: Place) => Promise<void>,
): Promise<void> {
  const server = create();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    await work({ baseUrl: `http://127.0.0.1:${port}${basePath}`, key, model });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** A simulator counts questions in place of time, so nothing is waited for. */
const MAX_QUESTIONS = 50;

async function runJob(
  create: (http: HttpClient) => Adapter,
  start: (adapter: Adapter) => ReturnType<Adapter['start']>,
  context: Parameters<Adapter['start']>[1],
): Promise<void> {
  const http = createHttpClient();
  try {
    const adapter = create(http);
    const started = await start(adapter);
    if (started.kind !== 'started') {
      requires(started.kind !== 'refused', `the start was refused: ${JSON.stringify(started)}`);
      return;
    }
    let { operation } = started;
    for (let question = 0; question < MAX_QUESTIONS; question += 1) {
      const outcome = await adapter.check?.(operation, context);
      if (outcome?.kind === 'done') return;
      requires(outcome?.kind === 'pending', `question ${question + 1} was answered with ${JSON.stringify(outcome)}`);
      operation = outcome.operation ?? operation;
    }
    throw new Error(`the job is not done after ${MAX_QUESTIONS} questions`);
  } finally {
    await http.close();
  }
}

const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/[^\n]*/g;
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)['"`]([^'"`]+)['"`]/g;

/** Follows what the adapter's file imports, file by file. */
function requireOwnFiles(file: string, folder: string, seen = new Set<string>()): void {
  if (seen.has(file)) return;
  seen.add(file);
  const code = readFileSync(file, 'utf8').replace(COMMENT, '');
  const about = relative(folder, file);
  requires(
    !/(?<![.\w])fetch\s*\(/.test(code),
    `${about} calls fetch: whatever is sent goes by the client that it is handed`,
  );
  for (const [, name = ''] of code.matchAll(IMPORT)) {
    const isBelow = name.startsWith('.') && !relative(folder, join(dirname(file), name)).startsWith('..');
    requires(isBelow, `${about} imports ${name}: an adapter imports its own files, and is handed everything else`);
    requireOwnFiles(createRequire(file).resolve(name), folder, seen);
  }
}
