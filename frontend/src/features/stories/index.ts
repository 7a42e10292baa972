export { CaseStories, CaseStoryButton } from './CaseStories'
export { NewStory } from './NewStory'
export { type EditorSearch, StoryEditorPage } from './StoryEditorPage'
export { StoryPage } from './StoryPage'
