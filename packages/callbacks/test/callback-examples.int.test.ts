import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findProgram } from '@mediagate/testkit';
import { callbackHeaders, newWebhookSecret } from '../src';

const CHAPTER = readFileSync(join(__dirname, '../../../docs/callbacks.md'), 'utf8');
/** Where systems keep programs, whether PATH names them or not. */
const FOLDERS = [
  ...(process.env['PATH'] ?? '').split(delimiter),
  '/usr/local/go/bin',
  '/usr/local/bin',
  '/usr/bin',
  '/bin',
];

interface Language {
  /** The language tag of the block in the chapter. */
  block: string;
  program: string;
  file: string;
  /** Before and behind the block: reads the headers from the environment and the body from the input, ends with 0 or 1. */
  before?: string;
  after: string;
  arguments?: readonly string[];
}

const LANGUAGES: readonly Language[] = [
  {
    block: 'js',
    program: process.execPath,
    file: 'check.mjs',
    after: `import { readFileSync } from 'node:fs';
const headers = Object.fromEntries(['id', 'timestamp', 'signature'].map((name) => ['webhook-' + name, process.env[name]]));
process.exit(isOurs(headers, readFileSync(0, 'utf8'), process.env.secret) ? 0 : 1);`,
  },
  {
    block: 'python',
    program: 'python3',
    file: 'check.py',
    after: `
import os, sys
headers = {"webhook-" + name: os.environ[name] for name in ("id", "timestamp", "signature")}
sys.exit(0 if is_ours(headers, sys.stdin.buffer.read(), os.environ["secret"]) else 1)`,
  },
  {
    block: 'sh',
    program: 'bash',
    file: 'check.sh',
    after: 'is_ours "$id" "$timestamp" "$signature" "$secret"',
  },
  {
    block: 'go',
    program: 'go',
    file: 'check.go',
    arguments: ['run'],
    before: 'package main\n',
    after: `
func main() {
	header := http.Header{}
	for _, name := range []string{"id", "timestamp", "signature"} {
		header.Set("webhook-"+name, os.Getenv(name))
	}
	body, _ := io.ReadAll(os.Stdin)
	if !isOurs(header, body, os.Getenv("secret")) {
		os.Exit(1)
	}
}`,
  },
  {
    block: 'php',
    program: 'php',
    file: 'check.php',
    before: '<?php\n',
    after: `
$headers = [];
foreach (['id', 'timestamp', 'signature'] as $name) $headers["webhook-$name"] = getenv($name);
exit(isOurs($headers, file_get_contents('php://stdin'), getenv('secret')) ? 0 : 1);`,
  },
  {
    block: 'ruby',
    program: 'ruby',
    file: 'check.rb',
    after: `
headers = %w[id timestamp signature].to_h { |name| ["webhook-" + name, ENV[name]] }
exit ours?(headers, STDIN.read, ENV["secret"]) ? 0 : 1`,
  },
];

const pathOf = (program: string) => FOLDERS.map((folder) => join(folder, program)).find((path) => existsSync(path));

/** Python and OpenSSL are installed if missing: their code of the chapter always runs, that of other languages where they are found. */
findProgram('python3');
/** In a home without a cache Go compiles its library for HTTP first: half a minute of a core, and more beside other tests. */
const COMPILE_LIMIT_MS = 170_000;

findProgram('openssl');

const found = LANGUAGES.flatMap((language) => {
  const path = existsSync(language.program) ? language.program : pathOf(language.program);
  return path === undefined ? [] : [{ ...language, path }];
});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'callback-examples-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write({ block, file, before = '', after }: Language): string {
  const code = new RegExp(`\`\`\`${block}\\n([\\s\\S]*?)\`\`\``).exec(blocksFrom('## Verify the signature'))?.[1];
  if (code === undefined) throw new Error(`the chapter has no ${block}`);
  const path = join(folder, file);
  // Go wants what is imported in one place.
  const imports =
    block === 'go' ? code.replace('"fmt"', '"fmt"\n\t"io"').replace('"net/http"', '"net/http"\n\t"os"') : code;
  writeFileSync(path, `${before}${imports}\n${after}\n`);
  return path;
}

function blocksFrom(heading: string): string {
  return CHAPTER.slice(CHAPTER.indexOf(heading));
}

const [secret, other] = [newWebhookSecret(), newWebhookSecret()];
const body = JSON.stringify({ id: 'task_1', result: { text: 'Grüße, 世界' } });

interface Sent {
  secrets?: readonly string[];
  secondsAgo?: number;
  received?: string;
}

/** A callback as it was sent, and as it came. */
const CASES: readonly [what: string, isOurs: boolean, sent: Sent][] = [
  ['a callback of ours', true, {}],
  ['one that both secrets of a rotation signed, the new one first', true, { secrets: [other, secret] }],
  ['one that both secrets of a rotation signed, the old one first', true, { secrets: [secret, other] }],
  ['one that somebody else signed', false, { secrets: [other] }],
  ['a body that was altered', false, { received: `${body} ` }],
  ['a callback that is six minutes old', false, { secondsAgo: 360 }],
  ['a callback of six minutes ahead', false, { secondsAgo: -360 }],
];

it('Node, Python and a shell with OpenSSL are there to run the chapter’s code', () => {
  expect(found.map(({ block }) => block)).toEqual(expect.arrayContaining(['js', 'python', 'sh']));
  expect(pathOf('openssl')).toBeDefined();
});

describe.each(found)('the code for $block', (language) => {
  it.each(CASES)('judges %s rightly: %p', (_what, isOurs, { secrets = [secret], secondsAgo = 0, received = body }) => {
    const timestamp = new Date(Date.now() - secondsAgo * 1000);
    const headers = callbackHeaders({ id: 'task_1', timestamp, body, secrets });
    const path = write(language);
    const { status, stderr } = spawnSync(language.path, [...(language.arguments ?? []), path], {
      input: received,
      encoding: 'utf8',
      timeout: COMPILE_LIMIT_MS,
      env: {
        PATH: FOLDERS.join(delimiter),
        HOME: process.env['HOME'] ?? folder,
        LANG: 'C.UTF-8',
        GOFLAGS: '-mod=mod',
        GOTOOLCHAIN: 'local',
        CGO_ENABLED: '0',
        id: headers['webhook-id'],
        timestamp: headers['webhook-timestamp'],
        signature: headers['webhook-signature'],
        secret,
      },
    });
    const complaint = language.block === 'go' ? stderr.replace('exit status 1\n', '') : stderr;
    expect({ status, complaint }).toEqual({ status: isOurs ? 0 : 1, complaint: '' });
  });
});
