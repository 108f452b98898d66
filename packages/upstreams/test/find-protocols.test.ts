import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAdapters, createHttpClient, ownProtocols, protocolWords } from '../src';

const SOURCES = join(__dirname, '../src');
const FOLDERS = readdirSync(SOURCES).filter((name) => existsSync(join(SOURCES, name, 'adapter.ts')));

it('every folder with an adapter is a protocol of that name, and there are no others', () => {
  expect(FOLDERS).toContain('openai-images');
  expect(protocolWords(ownProtocols())).toEqual(FOLDERS.sort());
});

it('what gives verdicts, or texts alone, is known to the channels file, but serves no task of a worker', () => {
  const adapters = createAdapters({ http: createHttpClient() });
  expect(protocolWords(ownProtocols()).filter((protocol) => !adapters.has(protocol))).toEqual([
    'openai-chat',
    'openai-moderations',
  ]);
});

it.each(FOLDERS)('%s has its row of channel options in README.md', (protocol) => {
  const [, table = ''] = readFileSync(join(__dirname, '../README.md'), 'utf8').split(
    '## Protocols and their channel options',
  );
  expect(table).toMatch(new RegExp(`^\\| \`${protocol}\` +\\|`, 'm'));
});
