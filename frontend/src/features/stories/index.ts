export { BeginStory } from './BeginStory'
export { CaseStories, CaseStoryButton } from './CaseStories'
export { type EditorSearch, StoryEditorPage } from './StoryEditorPage'
export { StoryPage } from './StoryPage'
