import { Modal, type ModalProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { say } from '../frame/texts.ts';

/** A dialog that is shown for as long as it is mounted. What opened it has the focus again once it is gone. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  const [opener] = useState(() => openerOf(document.activeElement));
  useEffect(() => {
    // The dialog before this one is gone by now, and has given the focus back to what opened it.
    const target = opener?.isConnected ? opener : document.activeElement;
    return () => focus(target);
  }, [opener]);
  return <Modal opened closeButtonProps={{ 'aria-label': say('close') }} {...props} />;
}

/** A menu is gone before the dialog that it opened is: its button is not. */
function openerOf(focused: Element | null): Element | null {
  const menu = focused?.closest('[role="menu"]');
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : focused;
}

function focus(target: Element | null): void {
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
}
