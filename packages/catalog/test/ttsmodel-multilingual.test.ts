import { modelUnderTest } from './model-under-test';

const { entry, input, refused, requested, reserved, settled } = modelUnderTest('ttsmodel-multilingual', {
  input: 'Land ahoy',
  voice: 'sarah',
});

it('is spoken to a caller who waits, as the other speech model is', () => {
  expect(entry).toMatchObject({ synchronous: true, family: 'tts', kind: 'audio', operation: 'audio.speech' });
  expect(input()).toEqual({ input: 'Land ahoy', voice: 'sarah', response_format: 'wav', speed: 1 });
  expect(requested()).toEqual({ input: 'Land ahoy', voice: 'sarah', format: 'wav', speed: 1 });
});

it('input: up to 10,000 characters', () => {
  expect(input({ input: 'ü'.repeat(10_000) })).toMatchObject({ voice: 'sarah' });
  expect(refused({ input: 'ü'.repeat(10_001) })).toMatchObject({ param: 'input' });
});

it('has its own voices, formats and speeds, and those of other models are refused', () => {
  expect(refused({ voice: 'alloy' }).param).toBe('voice');
  for (const format of ['aac', 'flac']) expect(refused({ response_format: format }).param).toBe('response_format');
  for (const speed of [0.7, 1.2]) expect(requested({ speed })).toMatchObject({ speed });
  for (const speed of [0.69, 1.21]) expect(refused({ speed }).message).toBe('speed must be from 0.7 to 1.2');
});

it('refuses what it would ignore without a word, and shows no field that its route refuses', () => {
  expect(refused({ instructions: 'Slowly' })).toMatchObject({ param: 'instructions', reason: 'unsupported_parameter' });
  expect(entry.schema['properties']).not.toHaveProperty('expires_in');
});

it('costs its characters, 100 for a million, whatever is reported', () => {
  expect(reserved({ input: '🚢 ahoy' })).toBe(600_000n);
  expect(settled({ input: '🚢 ahoy' }, { characters: 1 })).toBe(600_000n);
});
