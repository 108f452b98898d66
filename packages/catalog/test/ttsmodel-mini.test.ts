import { modelUnderTest } from './model-under-test';

const { entry, input, warnings, refused, requested, reserved, settled } = modelUnderTest('ttsmodel-mini', {
  input: 'Land ahoy',
  voice: 'coral',
});

const VOICES = 'alloy ash ballad coral echo fable onyx nova sage shimmer verse marin cedar'.split(' ');

it('is spoken to a caller who waits, and recorded as audio', () => {
  expect(entry).toMatchObject({ synchronous: true, family: 'tts', kind: 'audio', operation: 'audio.speech' });
});

it('has the defaults of the specification', () => {
  expect(input()).toEqual({ input: 'Land ahoy', voice: 'coral', response_format: 'wav', speed: 1 });
  expect(requested()).toEqual({ input: 'Land ahoy', voice: 'coral', format: 'wav', speed: 1 });
});

it('input: required, 1 to 4096 characters, counted as code points', () => {
  for (const text of ['', ' \n']) expect(refused({ input: text }).message).toBe('input is required');
  expect(input({ input: '🚢'.repeat(4096) })).toMatchObject({ input: '🚢'.repeat(4096) });
  expect(refused({ input: '🚢'.repeat(4097) })).toMatchObject({
    code: 'invalid_request',
    param: 'input',
    message: 'input must have at most 4096 characters',
  });
});

it('input is spoken as it is written, spaces included', () => {
  expect(requested({ input: '  Land ahoy\n' })).toMatchObject({ input: '  Land ahoy\n' });
});

it('voice: required, one of thirteen, in any letter case', () => {
  for (const voice of VOICES) expect(requested({ voice: voice.toUpperCase() })).toMatchObject({ voice });
  expect(refused({ voice: ' ' }).message).toBe('voice is required');
  expect(refused({ voice: 'hal' }).message).toBe(`voice must be one of ${VOICES.join(', ')}`);
  expect(refused({ voice: { id: 'voice_1' } }).message).toBe(`voice must be a string, one of ${VOICES.join(', ')}`);
});

it('response_format: mp3, wav, opus, aac, flac, pcm, in any letter case', () => {
  for (const format of ['mp3', 'wav', 'opus', 'aac', 'flac', 'pcm']) {
    expect(requested({ response_format: ` ${format.toUpperCase()}` })).toMatchObject({ format });
  }
  expect(refused({ response_format: 'ogg' }).param).toBe('response_format');
});

it('speed: 0.25 to 4, a number', () => {
  for (const speed of [0.25, 1.5, 4]) expect(requested({ speed })).toMatchObject({ speed });
  for (const speed of [0.24, 4.01, 0, -1]) expect(refused({ speed }).message).toBe('speed must be from 0.25 to 4');
  expect(refused({ speed: '1' }).message).toBe('speed must be a number');
});

it('instructions: at most 4096 characters, and none where they are blank', () => {
  expect(requested({ instructions: 'Whisper.' })).toMatchObject({ instructions: 'Whisper.' });
  expect(requested({ instructions: ' ' })).not.toHaveProperty('instructions');
  expect(refused({ instructions: 'x'.repeat(4097) }).param).toBe('instructions');
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
