import { Ajv } from 'ajv';
import { settingsSchema } from './settings-schema';

it('is a schema by the schema of schemas, which no process that starts asks again', () => {
  const names = { protocols: new Set(['gemini']), models: new Set(['text-2.5-pro']), billingKeys: new Map() };
  const ajv = new Ajv();
  expect({ isValid: ajv.validateSchema(settingsSchema(names)), errors: ajv.errors }).toEqual({
    isValid: true,
    errors: null,
  });
});
