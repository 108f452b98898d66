import { createTheme, type MantineColorsTuple } from '@mantine/core';

/** The one accent; everything else is grey, or the colour of a state. */
const iris: MantineColorsTuple = [
  '#f0f1ff',
  '#dfe1fd',
  '#bcc0f7',
  '#979df1',
  '#787fec',
  '#646ce8',
  '#5a5fd6',
  '#4a4fc0',
  '#4046a8',
  '#343a90',
];

const slate: MantineColorsTuple = [
  '#d5d8de',
  '#aeb4bf',
  '#8d94a1',
  '#6a7180',
  '#444b59',
  '#333946',
  '#272c37',
  '#1b1f27',
  '#14171d',
  '#0e1014',
];

const gray: MantineColorsTuple = [
  '#f8f9fb',
  '#f1f2f5',
  '#e6e8ec',
  '#d9dce2',
  '#c3c8d0',
  '#9aa1ad',
  '#6b7280',
  '#4b5260',
  '#343a46',
  '#1f242d',
];

export const theme = createTheme({
  primaryColor: 'iris',
  primaryShade: 6,
  colors: { iris, gray, dark: slate },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.25rem' }, h2: { fontSize: '0.9375rem' } } },
  defaultRadius: 'md',
  radius: { xs: '3px', sm: '4px', md: '6px', lg: '10px', xl: '16px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // The lock on scrolling is a `<style>` of its own, which the policy does not allow: frame.css has one instead.
    Modal: { defaultProps: { lockScroll: false, centered: true } },
    Drawer: { defaultProps: { lockScroll: false } },
    // Its placeholder has the focus in place of the first item, and is no item of a menu.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Button: { defaultProps: { size: 'xs' } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    NumberInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'sm' } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
  },
});
