import { createGoogle } from '@ai-sdk/google';
import { imageCalls, textCalls } from './ai-sdk-calls.mjs';
import { base, GEMINI_IMAGE, key, report, TEXT } from './report.mjs';

const google = createGoogle({ baseURL: `${base}/gemini/v1beta`, apiKey: key });

await report(['ai', '@ai-sdk/google'], { ...textCalls(google(TEXT)), ...imageCalls(google.image(GEMINI_IMAGE)) });
