import type { ErrorObject } from 'ajv';
import type { JsonObject } from './contract';
import { pathOf } from './shape';

/** A fault of a body in the words of pydantic, the validator that several vendors have. */
export interface Finding extends JsonObject {
  type: string;
  loc: (string | number)[];
  msg: string;
}

export function findingOf(error: ErrorObject): Finding {
  const { limit, allowedValues, type } = error.params as JsonObject;
  const found = (kind: string, msg: string) => ({ type: kind, loc: ['body', ...pathOf(error)], msg });
  switch (error.keyword) {
    case 'required':
      return found('missing', 'Field required');
    case 'additionalProperties':
      return found('extra_forbidden', 'Extra inputs are not permitted');
    case 'enum':
      return found('enum', `Input should be one of ${[allowedValues].flat().join(', ')}`);
    case 'minimum':
      return found('greater_than_equal', `Input should be greater than or equal to ${limit}`);
    case 'maximum':
      return found('less_than_equal', `Input should be less than or equal to ${limit}`);
    case 'minLength':
      return found('string_too_short', `String should have at least ${limit} character`);
    case 'maxLength':
      return found('string_too_long', `String should have at most ${limit} characters`);
    default:
      return found(`${[type].flat()[0]}_type`, `Input should be a valid ${[type].flat()[0]}`);
  }
}
