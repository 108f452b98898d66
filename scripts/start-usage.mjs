// Answers options of `npm start` in place of a start (scripts/run.sh): with the help, or with the option that there is none
// of. On any Node, before anything is installed: the settings come from .env.example, whose first section is theirs.
import { readFileSync } from 'node:fs';

const OPTIONS = ['--verbose', '--help', '-h'];
const SETTING = /((?:^# (?!--).+\n)+)^#([A-Z\d_]+)=(.*)$/gm;

/** The text that `npm start -- --help` shows. */
function usage() {
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

// A reader, as `head`, that has seen enough.
process.stdout.on('error', () => undefined);
const given = process.argv.slice(2);
const unknown = given.find((option) => !OPTIONS.includes(option));
if (unknown === undefined) {
  process.stdout.write(`${usage()}\n`);
} else {
  process.stderr.write(`mediagate: npm start has no option ${unknown}; npm start -- --help lists what there is\n`);
  process.exitCode = 1;
}
