import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { findProgram } from '@mediagate/testkit';
import { freePort } from '../system/service-process';
import { type System, type SystemAccount, startSystem } from '../system/start-system';
import { type ProxyName, type ProxyProcess, startProxy } from './proxies/start-proxies';

const UNIT = 1_000_000_000n;
const CONSOLE_HOST = 'console.example.com';
const CHAPTER = readFileSync('docs/deployment.md', 'utf8');
const TABLE = '| Request | nginx, default |';
/** Longer than proxies wait as they come. */
const SILENCE = '[[sim:latency=70s]]';
/** The vendor sends the first half of its answer, and then nothing: what a proxy gathers never arrives. */
const HALF = '[[sim:stream-stall=1/2]]';
const FIRST_BYTE_MS = 30_000;
const TRIAL_LIMIT_MS = 170_000;
const FILE_BYTES = 60_000_000;

const PROGRAMS: Record<ProxyName, string | undefined> = { nginx: findProgram('nginx'), caddy: findProgram('caddy') };
const COLUMNS = [
  { kind: 'nginx', shipped: false },
  { kind: 'nginx', shipped: true },
  { kind: 'caddy', shipped: false },
  { kind: 'caddy', shipped: true },
] as const satisfies { kind: ProxyName; shipped: boolean }[];

let system: System<'api' | 'serve'>;
let account: SystemAccount;
const proxies: ProxyProcess[] = [];

beforeAll(async () => {
  const consolePort = await freePort();
  const env = {
    CONSOLE_PORT: String(consolePort),
    CONSOLE_PUBLIC_URL: `https://${CONSOLE_HOST}`,
    CONSOLE_TRUSTED_PROXIES: '1',
  };
  system = await startSystem({ services: ['api', 'serve'], env });
  account = await system.account(100n * UNIT);
  const origins = { api: new URL(system.baseUrl).host, console: `127.0.0.1:${consolePort}` };
  for (const { kind, shipped } of COLUMNS) {
    const program = PROGRAMS[kind];
    if (program !== undefined) proxies.push(await startProxy(kind, { program, origins, shipped }));
  }
});
afterAll(async () => {
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  await system?.stop();
});

function ask({ apiPort }: ProxyProcess, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${account.key}`, ...(init.headers as Record<string, string>) };
  return fetch(`http://127.0.0.1:${apiPort}${path}`, { ...init, headers, signal: AbortSignal.timeout(TRIAL_LIMIT_MS) });
}

function post(proxy: ProxyProcess, path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return ask(proxy, path, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** Whether the answer begins before it ends, which it does not here. */
async function begins(asked: Promise<Response>): Promise<string> {
  const late = delay(FIRST_BYTE_MS, 'is held back', { ref: false });
  const first = async () => {
    const answer = await asked;
    const reader = answer.body?.getReader();
    const { done } = (await reader?.read()) ?? { done: true };
    if (answer.status !== 200 || done) return String(answer.status);
    void reader?.cancel().catch(() => undefined);
    return 'yes';
  };
  return Promise.race([first(), late]);
}

async function comes(asked: Promise<Response>, holds: (text: string) => boolean): Promise<string> {
  const answer = await asked;
  const text = await answer.text();
  if (answer.status !== 200) return String(answer.status);
  return holds(text) ? 'yes' : `another answer: ${text.slice(0, 200)}`;
}

const chat = (proxy: ProxyProcess, content: string) => {
  const messages = [{ role: 'user', content }];
  return post(proxy, '/openai/v1/chat/completions', { model: 'text-2.5-flash', stream: true, messages });
};

function wave(bytes: number): Blob {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(bytes - 8, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(2, 22);
  header.writeUInt32LE(96_000, 24);
  header.writeUInt32LE(384_000, 28);
  header.writeUInt16LE(4, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(bytes - 44, 40);
  return new Blob([header, new Uint8Array(bytes - 44)]);
}

function upload(proxy: ProxyProcess): Promise<Response> {
  const form = new FormData();
  form.append('file', wave(FILE_BYTES), 'tone.wav');
  return ask(proxy, '/v1/files', { method: 'POST', body: form });
}

async function slowTask(): Promise<string> {
  return account.caller.submit({ prompt: 'a lighthouse [[sim:latency=5m]]' });
}

/** A sign-in as a browser sends it, with a password that is wrong: another answer than 401 is not the console's own. */
function signIn({ consolePort }: ProxyProcess): Promise<string> {
  const body = JSON.stringify({ email: 'nobody@example.com', password: 'wrong' });
  const headers = { host: CONSOLE_HOST, origin: `https://${CONSOLE_HOST}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    request({ port: consolePort, host: '127.0.0.1', method: 'POST', path: '/session', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 401 ? 'yes' : String(answer.statusCode));
    })
      .on('error', reject)
      .end(body);
  });
}

const TRIALS: Record<string, (proxy: ProxyProcess) => Promise<string>> = {
  'a streamed text': (proxy) => begins(chat(proxy, `Why do lighthouses blink? ${HALF}`)),
  'streamed speech': (proxy) =>
    begins(post(proxy, '/v1/audio/speech', { model: 'ttsmodel-mini', voice: 'coral', input: `The keeper. ${HALF}` })),
  'events of a task': async (proxy) => begins(ask(proxy, `/v1/tasks/${await slowTask()}/events`)),
  '`wait=60`, answered after 55 s': async (proxy) =>
    comes(ask(proxy, `/v1/tasks/${await slowTask()}?wait=60`), (text) => text.includes('"status"')),
  'a text with 70 s of silence': (proxy) =>
    comes(chat(proxy, `Why do lighthouses blink? ${SILENCE}`), (text) => text.endsWith('data: [DONE]\n\n')),
  'OpenAI’s images, after 70 s of silence': (proxy) => {
    const image = { model: 'imagegen-2.5-flare', prompt: `a lighthouse ${SILENCE}`, quality: 'low' };
    return comes(post(proxy, '/openai/v1/images/generations', image), (text) => text.includes('b64_json'));
  },
  'a file of 60 MB': (proxy) => comes(upload(proxy), (text) => text.includes('"kind":"audio"')),
  'the console, under a host of its own': signIn,
};

it('what passes each proxy, as it comes and by the file of deploy/proxies, is what docs/deployment.md says', async () => {
  if (proxies.length < COLUMNS.length) {
    const missing = Object.entries(PROGRAMS).flatMap(([name, program]) => (program === undefined ? [name] : []));
    if (process.env['BARE_MACHINE']) throw new Error(`not installed: ${missing.join(', ')}`);
    process.stderr.write(`NOT RUN: ${missing.join(', ')} could not be installed.\n`);
    return;
  }
  const rows = await Promise.all(
    Object.entries(TRIALS).map(async ([name, trial]) => {
      const seen = await Promise.all(proxies.map((proxy) => trial(proxy).catch((error: Error) => error.message)));
      return `| ${name} | ${seen.join(' | ')} |`;
    }),
  );
  const [, table = ''] = CHAPTER.split(TABLE);
  expect(table.split('\n').slice(2, 2 + rows.length)).toEqual(rows);
});
