import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { say } from '../frame/texts.ts';
import classes from './confirm.module.css';

interface ConfirmProps {
  opened: boolean;
  title: string;
  /** Says what will happen, to how much, and whether it can be undone. */
  text: string;
  action: string;
  busy: boolean;
  onConfirm(): void;
  onClose(): void;
  /** The choices to make beforehand. */
  children?: ReactNode;
}

/** Asks before an action that cannot be taken back. */
export function Confirm({ opened, title, text, action, busy, onConfirm, onClose, children }: ConfirmProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': say('close') }}>
      <p className={classes.text}>{text}</p>
      {children}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {say('keep')}
        </Button>
        <Button color="red.8" loading={busy} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Modal>
  );
}
