// `node judge-options.mjs <script> …` (scripts/run.sh): judges the options of `npm start` and `npm run bench|fuzz|make-migration` before
// anything is installed, on any Node. It exits with 0 where there is nothing against them, with 2 after the help, and else with 1.
import { readFileSync } from 'node:fs';

const SETTING = /((?:^# (?!--).+\n)+)^#([A-Z\d_]+)=(.*)$/gm;

/** The settings come from .env.example, whose first section is theirs. */
function startUsage() {
  const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8');
  const [, ofStart = ''] = example.split(/^# -- .+$/m);
  const settings = [...ofStart.matchAll(SETTING)].map(([, comment = '', name = '', value = '']) => {
    const about = comment.replaceAll(/^# /gm, '').trim().replaceAll('\n', ' ');
    return { name, about: value === '' ? about : `${about} (${value})` };
  });
  const width = Math.max(...settings.map(({ name }) => name.length));
  return [
    'Usage: npm start [-- --verbose]',
    '',
    'Runs the whole system on this machine until Ctrl-C. --verbose shows all that services log.',
    '',
    'Settings, in the environment or a file .env; those of single services are in .env.example:',
    ...settings.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`),
  ].join('\n');
}

const BENCH_USAGE = `Usage: npm run bench [-- options]

  --quick           two rounds of one second: to see that it runs, not to believe its figures
  --only <ids>      goals or comparisons, comma separated: P1,P6 or poll,submit
  --rounds <n>      rounds of each comparison (default 5)
  --rows <n>        tasks of the lists that P17 and P18 measure (default 1000000); ten million take 14 GB of disk and half an hour
  --cases <names>   cases of the comparison scale alone, comma separated: full-channel,throttle
  --profile <dir>   also writes a CPU profile of each service of the product to this folder`;

/** @type {Record<string, { command: string, usage(): string, takes(option: string, index: number): boolean }>} */
const SCRIPTS = {
  start: { command: 'npm start', usage: startUsage, takes: (option) => option === '--verbose' },
  bench: {
    command: 'npm run bench',
    usage: () => BENCH_USAGE,
    // Values are judged where they are used.
    takes: (option) => !option.startsWith('-') || BENCH_USAGE.includes(`  ${option.replace(/=.*/s, '')} `),
  },
  fuzz: {
    command: 'npm run fuzz',
    usage: () => 'Usage: npm run fuzz [-- callers|operators]',
    takes: (option, index) => index === 0 && ['callers', 'operators'].includes(option),
  },
  'make-migration': {
    command: 'npm run make-migration',
    usage: () => 'Usage: npm run make-migration [-- <name>], where a name is like add_delivery_fence',
    takes: (option, index) => index === 0 && /^[a-z][a-z0-9_]{0,59}$/.test(option),
  },
};

// A reader, as `head`, that has seen enough.
process.stdout.on('error', () => undefined);
const [, , script = '', ...given] = process.argv;
const judged = SCRIPTS[script];
const unknown = given.find((option, index) => !['--help', '-h'].includes(option) && !judged?.takes(option, index));
if (judged !== undefined && unknown !== undefined) {
  const { command } = judged;
  process.stderr.write(`mediagate: ${command} has no option ${unknown}; ${command} -- --help lists what there is\n`);
  process.exitCode = 1;
} else if (judged !== undefined && given.some((option) => ['--help', '-h'].includes(option))) {
  process.stdout.write(`${judged.usage()}\n`);
  process.exitCode = 2;
}
