import { TEXT_LISTS } from '@mediagate/catalog';
import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import type { FieldReader } from './chat-fields';

/** The functions that may be called, and whether one must be. */
export function readTools({ tools, tool_choice: choice }: JsonObject, fields: FieldReader): JsonObject {
  const functions =
    tools === undefined
      ? []
      : fields.list(tools, 'tools', TEXT_LISTS.tools).flatMap((tool, index) => {
          return readFunction(tool, `tools[${index}]`, fields);
        });
  const chosen = choice === undefined ? undefined : readChoice(choice, fields);
  // A vendor refuses the choice where it is given no functions, even the choice of none.
  const functionCallingConfig = functions.length === 0 && chosen?.['mode'] !== MODES.required ? undefined : chosen;
  return {
    ...(functions.length === 0 ? {} : { tools: [{ functionDeclarations: functions }] }),
    ...(functionCallingConfig === undefined ? {} : { toolConfig: { functionCallingConfig } }),
  };
}

function readFunction(value: Json, param: string, fields: FieldReader): JsonObject[] {
  const tool = fields.object(value, param);
  if (tool === undefined) return [];
  fields.word(tool['type'], `${param}.type`, ['function']);
  const described = fields.object(tool['function'], `${param}.function`) ?? {};
  const { description, parameters } = described;
  const name = fields.text(described['name'], `${param}.function.name`);
  if (name === undefined) return [];
  return [
    {
      name,
      ...(typeof description === 'string' ? { description } : {}),
      ...(isJsonObject(parameters) ? { parametersJsonSchema: parameters } : {}),
    },
  ];
}

const MODES = { none: 'NONE', auto: 'AUTO', required: 'ANY' } as const;

function readChoice(choice: Json, fields: FieldReader): JsonObject | undefined {
  if (!isJsonObject(choice)) {
    const word = fields.word(choice, 'tool_choice', ['none', 'auto', 'required']);
    return word && { mode: MODES[word] };
  }
  const named = fields.object(choice['function'], 'tool_choice.function');
  const name = named && fields.text(named['name'], 'tool_choice.function.name');
  return name === undefined ? undefined : { mode: 'ANY', allowedFunctionNames: [name] };
}
