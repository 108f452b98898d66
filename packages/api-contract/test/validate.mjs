// `node validate.mjs < openapi.json`: what two validators that share no code find wrong, as JSON. Both are ES modules.
import { text } from 'node:stream/consumers';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';

const source = await text(process.stdin);

/** By the schema that the OpenAPI Initiative publishes, and by resolving every reference. */
async function bySchema() {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(source));
  if (!valid) return [errors].flat().slice(0, 20);
  validator.resolveRefs();
  return validator.version === '3.1' ? [] : [`taken for version ${validator.version}`];
}

/** By a tree of types of its own, with examples compared with their schemas. */
async function byTypes() {
  const config = await createConfig({
    rules: {
      struct: 'error',
      'no-unresolved-refs': 'error',
      'no-duplicated-tag-names': 'error',
      'no-identical-paths': 'error',
      'operation-operationId-unique': 'error',
      'operation-parameters-unique': 'error',
      'path-parameters-defined': 'error',
      'security-defined': 'error',
      'no-invalid-media-type-examples': 'error',
      'no-invalid-schema-examples': 'error',
      'no-unused-components': 'error',
      'no-enum-type-mismatch': 'error',
      'no-required-schema-properties-undefined': 'error',
    },
  });
  const problems = await lintFromString({ source, config });
  return problems.slice(0, 20).map(({ ruleId, message, location }) => ({ ruleId, message, at: location[0]?.pointer }));
}

process.stdout.write(JSON.stringify({ bySchema: await bySchema(), byTypes: await byTypes() }));
