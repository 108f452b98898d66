import { type Message, message, readMessage } from '@mediagate/contracts';

/** A task's warning as its row keeps it: data, so that a repeated submission gets it in its own caller's language. */
export function storeWarning(warning: Message): string {
  return JSON.stringify(warning);
}

/** What is no data is the English text of an earlier release, or of a later one's message. */
export function readWarning(stored: string): Message {
  return readMessage(parsed(stored)) ?? message('foreign', { text: stored });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
