import { message as words } from '@mediagate/contracts';
import type { ClaimedMessage } from '@mediagate/database';
import { type Language, say, toLanguage } from '@mediagate/languages';
import { describeNotice } from './describe-notice';
import type { Mail } from './mailer';
import { headlineOf, linesOf } from './notice-text';

/** The fields that a message is written from, wherever it goes. */
export type MessageContent = Pick<ClaimedMessage, 'id' | 'isTest' | 'notices' | 'more' | 'createdAt' | 'language'>;

const MAX_SUBJECT_CHARACTERS = 200;

/** The body of a webhook: the same bytes in every attempt. */
export function writeWebhook(message: MessageContent): string {
  const { id, isTest, notices, more, createdAt } = message;
  const language = languageOf(message);
  return JSON.stringify({
    id,
    type: isTest ? 'test' : 'notices',
    created: Math.floor(createdAt.getTime() / 1000),
    text: headlineOf(message, language),
    notices: notices.map((notice) => ({ ...describeNotice(notice, language), repeated: notice.repeated })),
    more,
  });
}

/** The body of an incoming webhook of Slack, or of what takes the same. */
export function writeSlack(message: MessageContent): string {
  const language = languageOf(message);
  const headline = escapeSlack(headlineOf(message, language));
  const parts = message.notices.map((notice) => linesOf(notice, language).map(escapeSlack).join('\n'));
  const texts = [
    ...(parts.length === 1 && message.more === 0 ? [] : [headline]),
    ...parts,
    ...moreOf(message, language),
  ];
  return JSON.stringify({ text: headline, blocks: texts.map(sectionOf) });
}

export function writeMail(message: MessageContent, to: string): Mail {
  const language = languageOf(message);
  const headline = headlineOf(message, language);
  const parts = message.notices.map((notice) => linesOf(notice, language).join('\n'));
  const texts = [...(message.isTest ? [headline] : parts), ...moreOf(message, language)];
  return {
    id: message.id,
    to,
    subject: `[mediagate] ${subjectOf(message, language)}`.slice(0, MAX_SUBJECT_CHARACTERS),
    text: `${[...texts, say(words('notice_footer'), language)].join('\n\n')}\n`,
    language,
  };
}

/** The subject has no names: callers choose them, and readers trust a subject and filter by it. */
function subjectOf(message: MessageContent, language: Language): string {
  const notices = message.notices.map((notice) => ({ ...notice, figures: { ...notice.figures, name: null } }));
  return headlineOf({ ...message, notices }, language);
}

function languageOf({ language }: MessageContent): Language {
  return toLanguage(language) ?? 'en';
}

function moreOf({ more }: MessageContent, language: Language): string[] {
  return more === 0 ? [] : [say(words('notice_more', { count: more }), language)];
}

/** Escapes by Slack's own rules: these characters would otherwise make links and mentions. */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const MAX_SECTION_CHARACTERS = 3000;

function sectionOf(text: string): object {
  return { type: 'section', text: { type: 'mrkdwn', text: text.slice(0, MAX_SECTION_CHARACTERS), verbatim: true } };
}
