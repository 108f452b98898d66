import { fieldFailure, GatewayError, MESSAGES, message, refusedBody } from '@mediagate/contracts';
import type { Language } from '@mediagate/languages';
import { errorBody } from './error-body';

const ANSWER = { language: 'en', requestId: 'my-request' } as const;

const FLAGGED = MESSAGES.content_flagged;
const refused = (reason: 'content_policy' | 'invalid_parameter') =>
  new GatewayError('invalid_request', message('content_flagged'), { reason, param: 'prompt' });

it('the older interface answers 24 for a prompt that a review refused, and 4 for any other that is wrong', () => {
  expect(errorBody('legacy', refused('content_policy'), ANSWER)).toEqual({
    code: 24,
    description: FLAGGED,
    failReason: FLAGGED,
    result: null,
    properties: { reason: 'content_policy', param: 'prompt', request_id: 'my-request' },
  });
  expect(errorBody('legacy', refused('invalid_parameter'), ANSWER)).toMatchObject({ code: 4 });
});

it.each([
  ['standard', { code: 400, message: FLAGGED, type: 'invalid_request_error' }],
  ['imgtool', { message: FLAGGED, type: 'invalid_request_error' }],
  ['native', { code: 400, message: FLAGGED, status: 'INVALID_ARGUMENT' }],
] as const)('a %s error keeps its fields and adds the reason, the field and the id of the request', (shape, fields) => {
  expect(errorBody(shape, refused('content_policy'), ANSWER)).toEqual({
    error: { ...fields, reason: 'content_policy', param: 'prompt', request_id: 'my-request' },
  });
});

it('an error that no field is to blame for has no param', () => {
  for (const param of [undefined, '']) {
    const { error } = errorBody(
      'standard',
      new GatewayError('rate_limited', message('too_many_tasks_of_key'), { param }),
      ANSWER,
    ) as {
      error: object;
    };
    expect(error).toEqual({
      code: 429,
      message: MESSAGES.too_many_tasks_of_key,
      type: 'rate_limit_error',
      reason: 'rate_limited',
      request_id: 'my-request',
    });
  }
});

const twoFaults = refusedBody('invalid_request', [
  fieldFailure('missing_parameter', 'prompt', 'required'),
  fieldFailure('invalid_parameter', 'n', 'must_be_in_range', { min: 1, max: 4 }),
]);
const LIST = [
  { param: 'prompt', reason: 'missing_parameter', message: 'prompt is required' },
  { param: 'n', reason: 'invalid_parameter', message: 'n must be from 1 to 4' },
];

it.each(['standard', 'imgtool', 'native'] as const)(
  'a %s error lists all that is wrong, the first as its own',
  (shape) => {
    const [first] = LIST;
    expect(errorBody(shape, twoFaults, ANSWER)).toMatchObject({ error: { ...first, errors: LIST } });
  },
);

it('a legacy error lists it among its properties', () => {
  const body = { description: 'prompt is required', properties: { param: 'prompt', errors: LIST } };
  expect(errorBody('legacy', twoFaults, ANSWER)).toMatchObject(body);
});

it('every text of an error is in the language that was asked for, and nothing else changes', () => {
  const german = errorBody('standard', twoFaults, { ...ANSWER, language: 'de' as Language });
  expect(german).toMatchObject({
    error: {
      message: 'prompt ist erforderlich',
      reason: 'missing_parameter',
      errors: [{ param: 'prompt' }, { param: 'n', message: 'n muss zwischen 1 und 4 liegen' }],
    },
  });
});
