import { GatewayError } from '@mediagate/contracts';
import { errorBody } from './error-body';

const refused = (reason: 'content_policy' | 'invalid_parameter') =>
  new GatewayError('invalid_request', 'The prompt was flagged.', { reason, param: 'prompt' });

it('the older interface answers 24 for a prompt that a review refused, and 4 for any other that is wrong', () => {
  expect(errorBody('legacy', refused('content_policy'))).toEqual({
    ...{ code: 24, description: 'The prompt was flagged.', result: null },
    properties: { reason: 'content_policy', param: 'prompt' },
  });
  expect(errorBody('legacy', refused('invalid_parameter'))).toMatchObject({ code: 4 });
});

it.each([
  ['standard', { code: 400, message: 'The prompt was flagged.', type: 'invalid_request_error' }],
  ['imgtool', { message: 'The prompt was flagged.', type: 'invalid_request_error' }],
  ['native', { code: 400, message: 'The prompt was flagged.', status: 'INVALID_ARGUMENT' }],
] as const)('a %s error keeps its fields and adds the reason and the field', (shape, fields) => {
  expect(errorBody(shape, refused('content_policy'))).toEqual({
    error: { ...fields, reason: 'content_policy', param: 'prompt' },
  });
});

it('an error that no field is to blame for has no param', () => {
  for (const param of [undefined, '']) {
    const { error } = errorBody('standard', new GatewayError('rate_limited', 'Too many.', { param })) as {
      error: object;
    };
    expect(error).toEqual({ code: 429, message: 'Too many.', type: 'rate_limit_error', reason: 'rate_limited' });
  }
});
