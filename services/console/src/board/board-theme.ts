import type { UITheme } from '@bull-board/api/typings/app';

const FONTS = {
  'font-sans': 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif',
  'font-mono': 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
};

/** The colours and letters of the console's page, in which the board stands (`web/src/styles/page.css`). */
export const BOARD_THEME = {
  light: {
    ...FONTS,
    background: '#fbfbfc',
    foreground: '#1b1f28',
    card: '#fff',
    popover: '#fff',
    primary: '#5a5fd6',
    'primary-foreground': '#fff',
    secondary: '#f1f2f5',
    'secondary-foreground': '#1b1f28',
    muted: '#f6f7f9',
    'muted-foreground': '#5c6372',
    accent: '#eeeffd',
    'accent-foreground': '#484dbd',
    destructive: '#b3261e',
    border: '#e4e6eb',
    input: '#d0d4dc',
    sidebar: '#f6f7f9',
    'sidebar-foreground': '#1b1f28',
    'sidebar-accent': '#eeeffd',
    'sidebar-border': '#e4e6eb',
  },
  dark: {
    ...FONTS,
    background: '#0e1014',
    foreground: '#e7e9ee',
    card: '#14171d',
    popover: '#1b1f27',
    primary: '#7479ee',
    'primary-foreground': '#0e1014',
    secondary: '#1b1f27',
    'secondary-foreground': '#e7e9ee',
    muted: '#1b1f27',
    'muted-foreground': '#9aa1b0',
    accent: '#21243f',
    'accent-foreground': '#a5a9f8',
    destructive: '#f58b84',
    border: '#262b35',
    input: '#3a4150',
    sidebar: '#14171d',
    'sidebar-foreground': '#e7e9ee',
    'sidebar-accent': '#21243f',
    'sidebar-border': '#262b35',
  },
} satisfies UITheme;
