import { ActionIcon } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { say } from '../frame/texts.ts';
import { notifyFailure } from './notices.tsx';

const SHOWN_MS = 1_500;

export function CopyButton({ value, label = say('copy') }: { value: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      setCopied(true);
      setTimeout(() => setCopied(false), SHOWN_MS);
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={24}
      aria-label={copied ? say('copied') : label}
      onClick={() => void copy()}
    >
      {copied ? <Check size={13} /> : <Copy size={13} />}
    </ActionIcon>
  );
}
