/*
 * Styles of dialogs and of every field that a form of ours uses. What a screen uses beyond these and those of
 * styles-more.ts it imports itself: `import '@mantine/core/styles/Tabs.layer.css'`.
 */
import './styles-more.ts';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import '@mantine/core/styles/NumberInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import '@mantine/core/styles/Fieldset.layer.css';
