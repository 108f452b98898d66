import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, readText } from './checkout';
import { REQUIRED_VARIABLES, readComposeFile } from './compose-file';

const RUNBOOKS = readdirSync(join(ROOT, 'docs/runbooks')).map((file) => `docs/runbooks/${file}`);
/** Documents that call the operators’ API, too. */
const WITH_ROUTES = ['docs/operators-week.md', ...RUNBOOKS];
const DOCUMENTS = ['docs/deployment.md', ...WITH_ROUTES];
const COMMAND_LINE = /(?:npx mediagate|docker compose run --rm mediagate) ([^\n`>|]+)/g;
/** All services of Compose but these. */
const ALL_BUT = /\$\(docker compose config --services \| grep -vxE '([a-z|-]+)'\)/;

interface Command {
  /** `task show` */
  name: string;
  options: string[];
}

function commandsIn(document: string): Command[] {
  return [...readText(document).matchAll(COMMAND_LINE)].map(([, text = '']) => {
    const words = text
      .trim()
      .replace(/"[^"]*"/g, 'text')
      .split(/\s+/);
    const isName = (word: string) => /^[a-z-]+$/.test(word) && !word.startsWith('-');
    const end = words.findIndex((word) => !isName(word));
    const name = words.slice(0, Math.min(2, end === -1 ? words.length : end)).join(' ');
    return { name, options: words.filter((word) => word.startsWith('--')) };
  });
}

/** The help that the command line itself prints on a command. */
function helpOf(name: string): string {
  const main = join(ROOT, 'tools/cli/src/main.ts');
  const node = ['--require', join(ROOT, 'scripts/register-typescript.cjs'), main];
  const { status, stdout } = spawnSync(process.execPath, [...node, ...name.split(' '), '--help'], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });
  return status === 0 ? stdout : '';
}

const VARIABLES_OF_THE_C_LIBRARY = ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_'];

describe('the operator’s documents', () => {
  const commands = DOCUMENTS.flatMap((document) => commandsIn(document).map((command) => ({ document, ...command })));
  const names = [...new Set(commands.map(({ name }) => name))].sort();

  it('name the commands of the command line as they are', () => {
    expect(names).toEqual(
      expect.arrayContaining([
        'account top-up',
        'audit',
        'channel check',
        'delivery redeliver',
        'migrate',
        'task show',
      ]),
    );
    const help = new Map(names.map((name) => [name, helpOf(name)]));
    for (const { document, name, options } of commands) {
      expect([document, help.get(name)]).toEqual([document, expect.stringContaining(`Usage: mediagate ${name}`)]);
      const unknown = options.filter(
        (option) => !help.get(name)?.includes(`${option} `) && !help.get(name)?.includes(`${option}\n`),
      );
      expect([document, name, unknown]).toEqual([document, name, []]);
    }
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
