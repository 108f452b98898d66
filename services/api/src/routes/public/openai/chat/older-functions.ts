import { isJsonObject, type Json, type JsonObject, type Message, message } from '@mediagate/contracts';

export interface NewerChat {
  chat: JsonObject;
  /** Calls are answered in the words that were there before tools. */
  isOlder: boolean;
  warnings: readonly Message[];
}

/** Turns functions, their calls and results, as clients sent them before there were tools, into tools. */
export function readOlderFunctions(sent: JsonObject): NewerChat {
  const { functions, function_call: choice, ...rest } = sent;
  const messages = Array.isArray(rest['messages']) ? readOlderMessages(rest['messages']) : rest['messages'];
  const chat = messages === undefined ? rest : { ...rest, messages };
  if (!Array.isArray(functions) || functions.length === 0 || rest['tools'] !== undefined) {
    return { chat: { ...chat, ...(isGiven(functions) ? { functions } : {}) }, isOlder: false, warnings: [] };
  }
  const tools = functions.map((described) => ({ type: 'function', function: described }));
  const tool = isJsonObject(choice) ? { type: 'function', function: choice } : choice;
  return {
    chat: { ...chat, tools, ...(tool === undefined ? {} : { tool_choice: tool }), parallel_tool_calls: false },
    isOlder: true,
    warnings: [message('read_as', { field: 'functions', value: 'tools' })],
  };
}

/** An empty list asks for nothing. */
function isGiven(functions: Json | undefined): functions is Json {
  return functions !== undefined && !(Array.isArray(functions) && functions.length === 0);
}

/** Calls had no ids then: each result belongs to the last call of its function. */
function readOlderMessages(messages: readonly Json[]): Json[] {
  const ids = new Map<Json | undefined, string>();
  return messages.map((each, index) => {
    if (!isJsonObject(each)) return each;
    const { function_call: call, ...message } = each;
    if (message['role'] === 'function') {
      const { name, ...result } = message;
      const id = ids.get(name);
      // Without a call it stays what it is, and is refused by its own fields.
      return id === undefined ? message : { ...result, role: 'tool', tool_call_id: id };
    }
    if (!isJsonObject(call) || message['tool_calls'] !== undefined) return message;
    const id = `call_${index}`;
    ids.set(call['name'], id);
    return { ...message, tool_calls: [{ id, type: 'function', function: call }] };
  });
}
