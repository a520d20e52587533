/*
 * Styles of dialogs and of every field used in our forms. A screen that needs more than these and those of
 * styles-more.ts imports them itself: `import '@mantine/core/styles/Tabs.layer.css'`.
 */
import './styles-more.ts';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import '@mantine/core/styles/Fieldset.layer.css';
