import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { ROOT, sourceFiles } from './source-files';

/** Where callers' bytes become values: bodies, and texts within them, that `JsonReader` found to be within its limits. */
const PARSER = 'services/api/src/http/json/parse-json.ts';

/** Each other use of `JSON.parse` in a server that callers reach, or in a package that one imports, and why it parses nothing beyond limits. */
const OTHERS: Readonly<Record<string, string>> = {
  'packages/billing/src/submission.ts': 'A warning that this program wrote into a row.',
  'packages/database/src/backup/backup-file.ts': "An operator's file.",
  'packages/egress/src/base64-string.ts':
    'The content of a string, a chunk of the network at a time: it has no structure.',
  'packages/upstreams/src/conformance/expectations.ts':
    'The suite of adapters, which no server loads: its own requests.',
  'packages/upstreams/src/conformance/fixtures.ts': 'The suite of adapters, which no server loads: its fixtures.',
  'packages/upstreams/src/google-account.ts': "An operator's key of a channel.",
  'packages/upstreams/src/parse-answer.ts': "A vendor's answer, of bounded bytes and levels.",
  'packages/callbacks/src/redeliver-many.ts': 'What this program has written in the same line.',
  'services/console/src/oidc/oidc-routes.ts': 'A cookie that this program has sealed.',
  'services/console/src/oidc/proven-cookie.ts': 'A cookie that this program has sealed.',
};

const SERVERS = ['services/api', 'services/console'];

it('a caller’s JSON is parsed in one place alone', () => {
  const folders = [...reachedFrom(SERVERS)].map((folder) => `${folder}/src/`);
  const files = sourceFiles().filter(
    (file) => /(?<!\.test)\.ts$/.test(file) && folders.some((each) => file.startsWith(each)),
  );
  expect(files.filter(parses)).toEqual([...Object.keys(OTHERS), PARSER].sort());
});

it.each([
  'JSON.parse(x)',
  "JSON['parse'](x)",
  'const { parse } = JSON;',
  'list.map(JSON.parse)',
  'globalThis.JSON.parse(x)',
])('finds %s', (text) => expect(usesOf(text)).toBe(true));

it.each(['JSON.stringify(x)', '// JSON.parse(x)', "'JSON.parse(x)'", 'parse(JSON.stringify(x))'])('passes %s', (text) =>
  expect(usesOf(text)).toBe(false),
);

/** The folders of the servers and of all packages that they import, by what each says that it needs when it runs. */
function reachedFrom(servers: readonly string[]): Set<string> {
  const reached = new Set(servers);
  for (const folder of reached) {
    const { dependencies = {} } = JSON.parse(readFileSync(path.join(ROOT, folder, 'package.json'), 'utf8'));
    for (const name of Object.keys(dependencies)) {
      if (name.startsWith('@mediagate/')) reached.add(name.replace('@mediagate/', 'packages/'));
    }
  }
  return reached;
}

function parses(file: string): boolean {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  return text.includes('JSON') && usesOf(text);
}

/** Whether the name `JSON` stands anywhere but before `.stringify`. */
function usesOf(text: string): boolean {
  let found = false;
  function visit(node: ts.Node): void {
    if (ts.isTypeNode(node)) return;
    if (ts.isIdentifier(node) && node.text === 'JSON') found ||= !isStringified(node);
    ts.forEachChild(node, visit);
  }
  visit(ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true));
  return found;
}

function isStringified(json: ts.Identifier): boolean {
  const use =
    ts.isPropertyAccessExpression(json.parent) && json.parent.name === json ? json.parent.parent : json.parent;
  return ts.isPropertyAccessExpression(use) && use.name.text === 'stringify';
}
