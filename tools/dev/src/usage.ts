import { devSettings } from './settings';

/** The text that `npm start -- --help` shows. */
export function usage(): string[] {
  const width = Math.max(...Object.keys(devSettings).map((name) => name.length));
  return [
    'Usage: npm start [-- --verbose]',
    '',
    'Runs the whole system on this machine until Ctrl-C. --verbose shows all that services log.',
    '',
    'Settings, in the environment or a file .env:',
    ...Object.entries(devSettings).map(([name, { about }]) => `  ${name.padEnd(width)}  ${about}`),
  ];
}
