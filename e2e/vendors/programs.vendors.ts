import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { pythonPrograms } from '@mediagate/testkit/servers';
import { bringNodePrograms } from '../programs/bring-node';
import { RECORDED_BODIES } from '../programs/recorded-bodies';
import { sharedSystem, stopSharedSystem } from '../system/shared-system';
import type { SystemAccount } from '../system/start-system';

const run = promisify(execFile);
const UNIT = 1_000_000_000n;
const INSTALL_LIMIT_MS = 600_000;
const PROGRAM_LIMIT_MS = 120_000;

const NODE = [
  'openai',
  'genai',
  'ai-sdk-openai',
  'ai-sdk-compatible',
  'ai-sdk-google',
  'langchain',
  'openapi-typescript',
];
const CLIENTS = pythonPrograms('e2e/clients/requirements.txt');
const PROGRAMS = pythonPrograms('e2e/programs/python/requirements.txt');
/** Programs in Python, with the folder of the Python that they run on. */
const PYTHON = [
  ['openai_calls', CLIENTS],
  ['genai_calls', CLIENTS],
  ['litellm_calls', PROGRAMS],
  ['langchain_calls', PROGRAMS],
  ['instructor_calls', PROGRAMS],
  ['generated_calls', CLIENTS],
] as const;

interface Report {
  program: string;
  works: string[];
  fails: string[];
}

let account: SystemAccount;
let baseUrl: string;
beforeAll(async () => {
  const { system } = await sharedSystem();
  ({ baseUrl } = system);
  account = await system.account(200n * UNIT);
}, INSTALL_LIMIT_MS);
afterAll(stopSharedSystem);

/** Runs a program and reads what it reports of itself, on its last line. */
async function reported(program: string, args: readonly string[], folder: string): Promise<Report> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, BASE_URL: baseUrl, KEY: account.key, PYTHONDONTWRITEBYTECODE: '1' };
  const { stdout } = await run(program, [...args], { cwd: folder, env, timeout: PROGRAM_LIMIT_MS });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

async function reports(): Promise<Report[]> {
  const folder = bringNodePrograms();
  const seen: Report[] = [];
  for (const name of NODE) seen.push(await reported(process.execPath, [`${name}.mjs`], folder));
  for (const [name, programs] of PYTHON) {
    seen.push(await reported(join(String(programs), 'python'), [`${name}.py`], resolve('e2e/programs/python')));
  }
  return seen;
}

const row = ({ program, works, fails }: Report) =>
  `| ${program} | ${works.join(', ')} | ${fails.length === 0 ? '–' : fails.join('; ').replaceAll('|', '\\|')} |`;

(CLIENTS === undefined ? it.skip : it)(
  'what works of each program, unmodified, is what docs/openai.md says',
  async () => {
    const seen = await reports();
    const [, table = ''] = readFileSync('docs/openai.md', 'utf8').split('<!-- table: programs -->');
    const rows = table.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows).toEqual(seen.map(row));
  },
  INSTALL_LIMIT_MS,
);

it.each(RECORDED_BODIES)('$program is answered when it sends $what', async ({ path, body, holds }) => {
  const answer = await account.caller.post(path, body);
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
  expect([answer.status, text]).toEqual([200, expect.stringMatching(holds)]);
});
