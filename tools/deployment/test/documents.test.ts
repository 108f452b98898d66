import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { TROUBLE_CAUSES, TROUBLE_KINDS } from '@mediagate/contracts';
import { ROOT, readText } from './checkout';
import { REQUIRED_VARIABLES, readComposeFile } from './compose-file';

const RUNBOOKS = readdirSync(join(ROOT, 'docs/runbooks')).map((file) => `docs/runbooks/${file}`);
/** Documents that call the operators’ API, too. */
const WITH_ROUTES = ['docs/operators-week.md', ...RUNBOOKS];
const DOCUMENTS = ['docs/deployment.md', ...WITH_ROUTES];
/** All services of Compose but these. */
const ALL_BUT = /\$\(docker compose config --services \| grep -vxE '([a-z|-]+)'\)/;

const VARIABLES_OF_THE_C_LIBRARY = ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_'];

describe('the operator’s documents', () => {
  it('explain every kind and cause of trouble', () => {
    const [, troubles = ''] = /^## Troubles$(.*?)^## /ms.exec(readText('docs/operators.md')) ?? [];
    const explained = new Set([...troubles.matchAll(/^\|([^|]*)\|/gm)].flatMap(([, cell = '']) => cell.match(/\w+/g)));
    expect([...TROUBLE_KINDS, ...TROUBLE_CAUSES].filter((word) => !explained.has(word))).toEqual([]);
  });

  it('call routes of the operators’ API that there are, each by its method', () => {
    const routes = [...readText('docs/operators.md').matchAll(/^\| `(\w+) \/admin\/v1(\/[^`]*)` \|/gm)].map(
      ([, method, path = '']) => ({ method, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`) }),
    );
    expect(routes.length).toBeGreaterThan(30);
    const calls = DOCUMENTS.flatMap((document) =>
      [...readText(document).matchAll(/^ *ask '?"?(\/[^\s?'"]*)(.*)$/gm)].map(([, path = '', rest = '']) => {
        const method = /-X (\w+)/.exec(rest)?.[1] ?? (rest.includes("-d '") ? 'POST' : 'GET');
        return { document, method, path };
      }),
    );
    expect(new Set(calls.map(({ document }) => document)).size).toBe(WITH_ROUTES.length);
    const unknown = calls.filter(
      ({ method, path }) => !routes.some((route) => route.method === method && route.pattern.test(path)),
    );
    expect(unknown).toEqual([]);
  });

  it('say for every command of a checkout how it is called elsewhere', () => {
    expect(readText('docs/deployment.md')).toMatch(/^## The command line$/m);
    for (const document of DOCUMENTS.filter((each) => each.startsWith('docs/runbooks/'))) {
      expect([document, readText(document)]).toEqual([
        document,
        expect.stringContaining('(../deployment.md#the-command-line)'),
      ]);
    }
  });

  it('ask Redis in Compose nothing that its user may not', () => {
    for (const document of DOCUMENTS) expect(readText(document)).not.toMatch(/redis-cli [^\n`]*config get/);
  });

  it('speak of services that Compose has', () => {
    const { services } = readComposeFile(REQUIRED_VARIABLES);
    for (const document of DOCUMENTS) {
      const lines = readText(document).match(/docker compose (?:up|kill|stop|start|exec|logs)[^\n`>#]*/g) ?? [];
      const words = lines.flatMap((line) =>
        line
          .replace(ALL_BUT, (_all, names: string) => names.replaceAll('|', ' '))
          .replace(/--(?:signal|tail|scale) \S+/g, '')
          .replace(/ (?:pg_dump|psql|redis-cli) .*/, '')
          .split(/\s+/)
          .slice(3),
      );
      const unknown = words.filter((word) => /^[a-z]/.test(word) && !(word in services));
      expect([document, unknown]).toEqual([document, []]);
    }
  });

  it('speak of variables that are listed, that Compose, the image or the example of a channels file take, or the C library', () => {
    const known = [
      ...VARIABLES_OF_THE_C_LIBRARY,
      readText('.env.example'),
      readText('docker-compose.yml'),
      readText('Dockerfile'),
      readText('deploy/config/example.yaml'),
    ].join('\n');
    for (const document of DOCUMENTS) {
      const variables = new Set(readText(document).match(/\b[A-Z][A-Z0-9]+_[A-Z0-9_]+\b/g) ?? []);
      // A secret's file is named by its variable and an ending.
      const unknown = [...variables].filter((name) => !known.includes(name.replace(/_FILE$/, '')));
      expect([document, unknown]).toEqual([document, []]);
    }
  });
});
