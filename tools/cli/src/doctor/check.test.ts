import { type Check, NotLookedAt, runChecks } from './check';

const LOOKS: Readonly<Record<string, Check['look']>> = {
  hangs: () => new Promise(() => undefined),
  breaks: () => Promise.reject(new Error('it is gone')),
  depends: () => Promise.reject(new NotLookedAt('another is gone')),
  works: async () => [{ state: 'ok', found: 'it is there' }],
};

it('has an answer of each check, whatever becomes of the others', async () => {
  const unreachable = { action: 'Bring it back.' };
  const checks = Object.entries(LOOKS).map(([name, look]): Check => ({ name, look, unreachable }));
  expect(await runChecks(checks, 20)).toEqual([
    { check: 'hangs', state: 'fault', found: 'there was no answer within 0.02 s', ...unreachable },
    { check: 'breaks', state: 'fault', found: 'it is gone', ...unreachable },
    { check: 'depends', state: 'unknown', found: 'not looked at: another is gone' },
    { check: 'works', state: 'ok', found: 'it is there' },
  ]);
});
