import type { TextDialect } from '../create-text';
import { chatField } from './chat-fields';
import { readChatRequest } from './chat-request';

export const CHAT: TextDialect = { read: readChatRequest, fieldOf: chatField };
