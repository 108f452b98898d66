import { modelUnderTest } from './model-under-test';

const { warnings, refused, requested, reserved, settled } = modelUnderTest('ttsmodel-mini', {
  input: 'Land ahoy',
  voice: 'coral',
});

it('input is spoken as it is written, spaces included', () => {
  expect(requested({ input: '  Land ahoy\n' })).toMatchObject({ input: '  Land ahoy\n' });
});

it('stream_format: audio, which changes nothing; events are refused', () => {
  expect(requested({ stream_format: 'audio' })).toEqual(requested());
  expect(warnings({ stream_format: 'audio' })).toEqual([]);
  expect(refused({ stream_format: 'sse' }).message).toBe('stream_format must be one of audio');
});

it('costs its characters, whatever else is asked and whatever is reported', () => {
  const rates = { per_million_characters: 1_000_000n };
  expect(reserved({ input: '🚢 ahoy' }, rates)).toBe(6n);
  expect(settled({ input: '🚢 ahoy' }, { characters: 1, seconds: 90 }, rates)).toBe(6n);
  expect(reserved({ input: '🚢 ahoy', instructions: 'Whisper.', speed: 0.25, response_format: 'flac' }, rates)).toBe(
    6n,
  );
  expect(reserved({ input: 'x' }, { per_million_characters: 1n })).toBe(1n);
  expect(reserved({ input: 'x'.repeat(4096) })).toBe(61_440_000n);
});
