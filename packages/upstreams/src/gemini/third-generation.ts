import { type Json, type JsonObject, message } from '@mediagate/contracts';
import type { Lack } from '../contract';
import { object } from '../json-guards';
import { lack } from '../lacks';
import { field } from '../text-request';
import { isThirdGeneration } from '../thought-signatures';

/*
 * Models of the third generation refuse two wishes that those before them took: several candidates, and not to think at all
 * (README.md). Callers of the former models, whose place they take, need not know.
 */

/** The lack of a model that writes one answer alone. */
export function lackOfCandidates(request: JsonObject, model: string): Lack | undefined {
  const count = field(configOf(request), 'candidateCount');
  const isCarried = typeof count !== 'number' || count <= 1 || !isThirdGeneration(model);
  return isCarried ? undefined : lack(message('takes_no_such_field', { name: 'candidateCount' }));
}

/** Asks for the least thinking by its level if the request forbids all; returns any other request itself. */
export function thinkLeast(request: JsonObject, model: string): JsonObject {
  const thinking = object(field(configOf(request), 'thinkingConfig'));
  if (field(thinking, 'thinkingBudget') !== 0 || !isThirdGeneration(model)) return request;
  const { thinkingBudget: _budget, thinking_budget: _named, ...others } = thinking;
  const least = field(thinking, 'thinkingLevel') ?? leastLevel(model);
  const thinkingConfig: Json = { ...others, thinkingLevel: least };
  const { generation_config: _config, ...rest } = request;
  const { thinking_config: _thinking, ...config } = configOf(request);
  return { ...rest, generationConfig: { ...config, thinkingConfig } };
}

/** Every model knows `low`, and those that think so little by themselves know `minimal`. */
function leastLevel(model: string): string {
  return /flash-lite/i.test(model) ? 'minimal' : 'low';
}

function configOf(request: JsonObject): JsonObject {
  return object(field(request, 'generationConfig'));
}
