import type { TextOrder } from './order';

export interface Translation {
  /** As the caller names it. */
  language: string;
  text: string;
}

const names =
  'Arabic|Bengali|Chinese|Czech|Danish|Dutch|English|Finnish|French|German|Greek|Hebrew|Hindi|Hungarian|Indonesian|Italian|Japanese|Korean|Malay|Norwegian|Persian|Polish|Portuguese|Romanian|Russian|Spanish|Swedish|Thai|Turkish|Ukrainian|Urdu|Vietnamese';
const codes = 'ar|bn|cs|de|en|es|fr|hi|id|it|ja|ko|ms|nl|pl|pt|ru|sv|th|tr|uk|vi|zh';
const towards = '\\b(?:into|to|language)\\b[^.\\n]{0,40}?';
const namedTarget = new RegExp(`${towards}\\b((?:Simplified |Traditional |Brazilian )?(?:${names}))\\b`);
const codedTarget = new RegExp(`${towards}["'\`( ](${codes})(-[A-Za-z]{2,4})?(?=["'\`).:,;\\s]|$)`);

/** The text to be translated and the language to translate it into, when the instruction or the prompt asks for it. */
export function translationIn({ instruction, prompt }: TextOrder): Translation | undefined {
  if (/translat/i.test(instruction)) {
    const language = targetIn(instruction);
    return language === undefined ? undefined : { language, text: prompt };
  }
  if (!/^\W*(please )?translat/i.test(prompt)) return undefined;
  const language = targetIn(prompt);
  return language === undefined ? undefined : { language, text: afterTheRequest(prompt) };
}

function targetIn(request: string): string | undefined {
  const named = namedTarget.exec(request)?.[1];
  if (named !== undefined) return named;
  const [, code, region = ''] = codedTarget.exec(request) ?? [];
  return code === undefined ? undefined : code + region;
}

/** `Translate into French: hello` and the like; quotes around the text fall away. */
function afterTheRequest(prompt: string): string {
  const [, text = prompt] = /^[^\n:]*(?::|\n)\s*(.+)$/s.exec(prompt) ?? [];
  return text.trim().replace(/^(["'`]+)(.*)\1$/s, '$2');
}
