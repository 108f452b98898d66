import { modelUnderTest } from './model-under-test';

const { entry, refused, reserved, settled } = modelUnderTest('ttsmodel-multilingual', {
  input: 'Land ahoy',
  voice: 'sarah',
});

it('refuses what it would ignore without a word, and shows no field that its route refuses', () => {
  expect(refused({ instructions: 'Slowly' })).toMatchObject({ param: 'instructions', reason: 'unsupported_parameter' });
  expect(entry.schema['properties']).not.toHaveProperty('expires_in');
});

it('costs its characters, 100 for a million, whatever is reported', () => {
  expect(reserved({ input: '🚢 ahoy' })).toBe(600_000n);
  expect(settled({ input: '🚢 ahoy' }, { characters: 1 })).toBe(600_000n);
});
