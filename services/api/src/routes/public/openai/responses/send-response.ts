import { chatSignature } from '@mediagate/upstreams';
import { sendJson } from '../../../../http/exchange';
import { collectPiece, type SendAnswer } from '../../text/send-answer';
import { handedOut, readPiece } from '../text-piece';
import { type AskedResponse, callItem, createResponseRecord, messageItem } from './response-record';

/** Sends the whole answer as one response. */
export function createSendResponse(asked: AskedResponse): SendAnswer {
  return async (answer, { exchange, meter }) => {
    const { response } = exchange;
    const piece = await collectPiece(answer, { exchange, meter });
    if (response.destroyed) return;
    const { text, signature, calls: made, finishReason = 'stop', usage } = readPiece(piece);
    const calls = handedOut(made, asked.parallelToolCalls);
    const isSilent = text === '' && calls.length > 0;
    const messages = isSilent ? [] : [{ ...messageItem(response, 0, text), ...chatSignature(signature) }];
    const output = [...messages, ...calls.map((call, index) => callItem(response, messages.length + index, call))];
    sendJson(response, 200, createResponseRecord(asked, response)({ output, finishReason, usage }));
  };
}
