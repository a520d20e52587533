/*
 * Styles of dialogs and of the fields in our forms. A screen that needs other styles imports them: `import
 * '@mantine/core/styles/Tabs.layer.css'`.
 */
import './styles-more.ts';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import '@mantine/core/styles/Combobox.layer.css';
import '@mantine/core/styles/Pill.layer.css';
import '@mantine/core/styles/PillsInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import '@mantine/core/styles/Fieldset.layer.css';
