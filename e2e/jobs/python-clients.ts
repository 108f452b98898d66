import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { sharedSystem } from '../system/shared-system';

const UNIT = 1_000_000_000n;
/** Of the exit of a machine without a Python. */
const NOT_RUN = 77;
const INSTALL_LIMIT_MS = 300_000;
const RUN_LIMIT_MS = 120_000;

let python: string | undefined;
beforeAll(() => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['e2e/clients/bring.mjs'], { encoding: 'utf8' });
  if (status === 0) python = stdout;
  else if (status !== NOT_RUN || process.env['BARE_MACHINE']) throw new Error(`no Python with the clients: ${stderr}`);
  else
    process.stderr.write(
      'NOT RUN: the clients in Python need Python 3.10 or newer with venv (Debian: python3-venv).\n',
    );
}, INSTALL_LIMIT_MS);

/** What the program prints. Undefined: there is no Python. */
async function run(program: string): Promise<unknown> {
  if (python === undefined) return undefined;
  const { system } = await sharedSystem();
  const { key } = await system.account(10n * UNIT);
  const { PATH } = process.env;
  const child = spawn(python, [`e2e/clients/${program}`], { env: { PATH, BASE_URL: system.baseUrl, KEY: key } });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (out === '') throw new Error(err);
  return JSON.parse(out);
}

it(
  'OpenAI’s client makes images, speech and texts, and meets errors as its own classes',
  async () => {
    const seen = await run('openai_client.py');
    if (python === undefined) return;
    expect(seen).toEqual({
      models: true,
      model: 'imagegen-2',
      link: [true, true],
      png: '89504e47',
      edit: true,
      speech: 'RIFF',
      chat: ['stop', true],
      stream: [true, true, true],
      tools: ['tool_calls', 'look_up'],
      refused: [
        ['AuthenticationError', 401, 'invalid_api_key'],
        ['NotFoundError', 404, 'model_not_found'],
        ['BadRequestError', 400, 'unsupported_parameter'],
        ['BadRequestError', 400, 'unsupported_parameter'],
      ],
    });
  },
  RUN_LIMIT_MS,
);

it(
  'Google’s client makes texts, whole and in pieces, and counts tokens',
  async () => {
    const seen = await run('genai_client.py');
    if (python === undefined) return;
    expect(seen).toEqual({ whole: true, usage: true, pieces: [true, true], tokens: true });
  },
  RUN_LIMIT_MS,
);
