import { lastLine } from './last-line';

it.each([
  ['succeeded', [], 'mediagate is ready'],
  ['failed', [], 'mediagate is up, but the demo failed'],
  ['failed', ['webhook-delivery'], 'NOT ready: webhook-delivery did not come up'],
  ['succeeded', ['video', 'tts'], 'NOT ready: video, tts did not come up'],
] as const)('demo %s, without %j: %s', (demo, missing, line) => {
  expect(lastLine(demo, missing)).toBe(line);
});
