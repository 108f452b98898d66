import { TEXT_LISTS } from '@mediagate/catalog';
import { isJsonObject, type Json, type JsonObject } from '@mediagate/contracts';
import type { FieldReader } from './field-reader';

interface ToolWords {
  /** The field of a tool, and of a choice, that describes the function; absent: they describe it themselves. */
  within?: string;
}

/** The functions that may be called, and whether one must be. */
export function readTools(
  { tools, tool_choice: choice }: JsonObject,
  { within }: ToolWords,
  fields: FieldReader,
): JsonObject {
  const words = { fields, within };
  const functions =
    tools === undefined
      ? []
      : fields.list(tools, 'tools', TEXT_LISTS.tools).flatMap((tool, index) => {
          return readFunction(tool, `tools[${index}]`, words);
        });
  const chosen = choice === undefined ? undefined : readChoice(choice, words);
  // A vendor refuses the choice where it is given no functions, even the choice of none.
  const functionCallingConfig = functions.length === 0 && chosen?.['mode'] !== MODES.required ? undefined : chosen;
  return {
    ...(functions.length === 0 ? {} : { tools: [{ functionDeclarations: functions }] }),
    ...(functionCallingConfig === undefined ? {} : { toolConfig: { functionCallingConfig } }),
  };
}

interface Words {
  fields: FieldReader;
  within: string | undefined;
}

function readFunction(value: Json, param: string, { fields, within }: Words): JsonObject[] {
  const tool = fields.object(value, param);
  if (tool === undefined) return [];
  fields.word(tool['type'], `${param}.type`, ['function']);
  const [described, at] = describedIn(tool, param, { fields, within });
  const name = fields.text(described['name'], `${at}.name`);
  const description = fields.optional('text', described['description'], `${at}.description`);
  const parameters = fields.optional('object', described['parameters'], `${at}.parameters`);
  if (name === undefined) return [];
  return [
    {
      name,
      ...(description === undefined ? {} : { description }),
      ...(parameters === undefined ? {} : { parametersJsonSchema: parameters }),
    },
  ];
}

function describedIn(tool: JsonObject, param: string, { fields, within }: Words): [JsonObject, string] {
  if (within === undefined) return [tool, param];
  const at = `${param}.${within}`;
  return [fields.object(tool[within], at) ?? {}, at];
}

const MODES = { none: 'NONE', auto: 'AUTO', required: 'ANY' } as const;

function readChoice(choice: Json, { fields, within }: Words): JsonObject | undefined {
  if (!isJsonObject(choice)) {
    const word = fields.word(choice, 'tool_choice', ['none', 'auto', 'required']);
    return word && { mode: MODES[word] };
  }
  const [named, at] = describedIn(choice, 'tool_choice', { fields, within });
  const name = fields.text(named['name'], `${at}.name`);
  return name === undefined ? undefined : { mode: 'ANY', allowedFunctionNames: [name] };
}
