import { stopRequests } from './stop-request';

function asked() {
  const seen: string[] = [];
  let now = 5_000;
  const requests = stopRequests(
    {
      stop: async (reason) => {
        seen.push(`in order: ${reason}`);
      },
      stopAtOnce: () => seen.push('at once'),
    },
    () => now,
  );
  return { ...requests, seen, pass: (ms: number) => (now += ms) };
}

it('one signal that comes by the terminal and by npm stops in order, once', () => {
  const { ask, seen, pass } = asked();
  ask('SIGINT');
  pass(900);
  ask('SIGINT');
  expect(seen).toEqual(['in order: SIGINT']);
});

it('a second signal stops at once', () => {
  const { ask, seen, pass } = asked();
  ask('SIGTERM');
  pass(1_001);
  ask('SIGINT');
  expect(seen).toEqual(['in order: SIGTERM', 'at once']);
});

it('npm that ends after a signal, as when a terminal is closed, asks for nothing more', () => {
  const { ask, askOnce, seen, pass } = asked();
  ask('SIGHUP');
  pass(60_000);
  askOnce('npm ended');
  expect(seen).toEqual(['in order: SIGHUP']);
});

it('npm that is killed stops in order', () => {
  const { askOnce, seen } = asked();
  askOnce('npm ended');
  expect(seen).toEqual(['in order: npm ended']);
});
