import { type Message, message, readMessage } from '@mediagate/contracts';

/** A task's warning as its row keeps it: data, so that a repeated submission gets it in its own caller's language. */
export function storeWarning(warning: Message): string {
  return JSON.stringify(warning);
}

/** English text of earlier releases, and messages that only a later one knows, are shown as they are stored. */
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
