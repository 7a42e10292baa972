//! The tree of a view as a graph draws it: the command is the first level, neighbouring frames without a symbol are one.

use crate::profile::columns::index;
use crate::profile::measure::totals;
use crate::views::graph::{Rows, Tree};
use crate::views::selection::flag;
use crate::views::trie::Trie;
use crate::views::view::View;

/// What becomes of the tree. Frames past those of the profile are new: `frame_count` is the joined frames,
/// `frame_count + 1 + c` is command `c`.
pub struct Arrangement<'a> {
    /// The command of every thread; without commands there is no level for them.
    pub commands: Option<&'a [i32]>,
    /// One flag per frame: no symbol covers its address.
    pub nameless: Option<&'a [u8]>,
    pub frame_count: usize,
    /// The command that has the name of a frame, -1 for none: folded stacks begin with their command.
    pub namesakes: &'a [i32],
}

/// A node of the view, or a command.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Node(usize),
    Command(usize),
}

/// The arranged tree. `origin` is the first node of the view in a row, or one that is to be kept, and for commands
/// `-1 - command`; `joined` counts the nodes of a row of joined frames.
pub struct Arranged {
    pub parents: Vec<i32>,
    pub frames: Vec<i32>,
    pub origin: Vec<i32>,
    pub joined: Vec<i32>,
    pub weights: Vec<f64>,
    pub totals: Vec<f64>,
    /// The row of every selected sample, -1 for none.
    pub of_sample: Vec<i32>,
    /// Rows that hold one of the nodes to keep.
    pub kept: Vec<usize>,
    /// The heaviest row of the requested place.
    pub root: Option<usize>,
}

struct Builder<'a> {
    view: &'a View,
    how: &'a Arrangement<'a>,
    is_kept: Vec<bool>,
    trie: Trie,
    is_shared: Vec<bool>,
    origin: Vec<i32>,
    joined: Vec<i32>,
    kept: Vec<usize>,
    roots: Vec<usize>,
}

/// Arrange the tree of a view; `keep` are nodes of the view.
#[must_use]
pub fn arranged(view: &View, how: &Arrangement, keep: &[usize], root: Option<Place>) -> Arranged {
    let size = view.parents.len();
    let mut is_kept = vec![false; size];
    for &node in keep.iter().filter(|&&node| node < size) {
        is_kept[node] = true;
    }
    let mut builder = Builder {
        view,
        how,
        is_kept,
        trie: Trie::new(),
        is_shared: Vec::new(),
        origin: Vec::new(),
        joined: Vec::new(),
        kept: Vec::new(),
        roots: Vec::new(),
    };
    let mut slot = vec![-1_i32; size];
    let mut stamp = vec![usize::MAX; size];
    let mut weights: Vec<f64> = Vec::new();
    let mut of_sample = vec![-1_i32; view.samples.nodes.len()];
    for (group, samples) in
        samples_by_command(view, how).into_iter().enumerate().filter(|(_, s)| !s.is_empty())
    {
        let top = how.commands.map_or(-1, |_| builder.command(group, root));
        for node in live_nodes(view, &samples, group, &mut stamp) {
            let above = index(view.parents[node]).map_or(top, |parent| slot[parent]);
            slot[node] = builder.add(node, above, root, group);
        }
        weights.resize(builder.origin.len(), 0.0);
        for at in samples {
            let row = index(view.samples.nodes[at]).map_or(top, |node| slot[node]);
            of_sample[at] = row;
            if let Some(row) = index(row) {
                weights[row] += view.samples.weights[at];
            }
        }
    }
    let Builder { trie, origin, joined, kept, roots, .. } = builder;
    let totals = totals(&trie.parents, &weights);
    let root = roots.into_iter().max_by(|&a, &b| totals[a].total_cmp(&totals[b]).then(b.cmp(&a)));
    Arranged {
        parents: trie.parents,
        frames: trie.frames,
        origin,
        joined,
        weights,
        totals,
        of_sample,
        kept,
        root,
    }
}

impl Builder<'_> {
    fn number(&self, offset: usize) -> i32 {
        i32::try_from(self.how.frame_count + offset).unwrap_or(i32::MAX)
    }

    fn command(&mut self, command: usize, root: Option<Place>) -> i32 {
        let row = self.trie.push(-1, self.number(1 + command));
        if root == Some(Place::Command(command)) {
            self.roots.push(self.origin.len());
        }
        self.origin.push(-1 - i32::try_from(command).unwrap_or(i32::MAX - 1));
        self.joined.push(0);
        self.is_shared.push(false);
        row
    }

    /// The row of a node below `above`.
    fn add(&mut self, node: usize, above: i32, root: Option<Place>, command: usize) -> i32 {
        let frame = self.view.frames[node];
        let is_nameless = self.how.nameless.is_some_and(|flags| flag(flags, frame));
        let joined = self.number(0);
        let above_is_shared = index(above).is_some_and(|above| self.is_shared[above]);
        let is_outermost = self.how.commands.is_some() && index(self.view.parents[node]).is_none();
        let namesake = index(frame).and_then(|frame| self.how.namesakes.get(frame)).and_then(|&at| index(at));
        let is_again = is_outermost && namesake == Some(command);
        let is_joined = is_nameless && index(above).is_some_and(|above| self.trie.frames[above] == joined);
        let row = if is_again || is_joined {
            above
        } else if is_nameless {
            self.trie.child(above, joined)
        } else if above_is_shared {
            self.trie.child(above, frame)
        } else {
            self.trie.push(above, frame)
        };
        let at = index(row).unwrap_or_default();
        if at == self.origin.len() {
            self.origin.push(i32::try_from(node).unwrap_or(i32::MAX));
            self.joined.push(0);
            self.is_shared.push(is_nameless || above_is_shared);
        }
        self.joined[at] += i32::from(is_nameless);
        if self.is_kept[node] {
            self.origin[at] = i32::try_from(node).unwrap_or(i32::MAX);
            self.kept.push(at);
        }
        if root == Some(Place::Node(node)) {
            self.roots.push(at);
        }
        row
    }
}

/// The selected samples of every command, in their order; all in one without commands.
fn samples_by_command(view: &View, how: &Arrangement) -> Vec<Vec<usize>> {
    let Some(commands) = how.commands else {
        return vec![(0..view.samples.nodes.len()).collect()];
    };
    let count = commands.iter().filter_map(|&command| index(command)).max().map_or(0, |most| most + 1);
    let mut groups = vec![Vec::new(); count];
    for (at, &thread) in view.samples.threads.iter().enumerate() {
        let command =
            index(thread).and_then(|thread| commands.get(thread)).and_then(|&command| index(command));
        if let Some(command) = command {
            groups[command].push(at);
        }
    }
    groups
}

/// The nodes that the samples pass through, ascending: a parent before its children.
fn live_nodes(view: &View, samples: &[usize], group: usize, stamp: &mut [usize]) -> Vec<usize> {
    let mut nodes = Vec::new();
    for &at in samples {
        let mut node = index(view.samples.nodes[at]);
        while let Some(live) = node.filter(|&node| stamp[node] != group) {
            stamp[live] = group;
            nodes.push(live);
            node = index(view.parents[live]);
        }
    }
    nodes.sort_unstable();
    nodes
}

impl Arranged {
    #[must_use]
    pub fn tree(&self) -> Tree<'_> {
        Tree { parents: &self.parents, frames: &self.frames, weights: &self.weights, totals: &self.totals }
    }

    /// How many nodes were joined in each of the rows.
    #[must_use]
    pub fn joined_of(&self, rows: &Rows) -> Vec<i32> {
        rows.node.iter().map(|&row| index(row).map_or(0, |row| self.joined[row])).collect()
    }

    /// One flag per selected sample: it passes through the root.
    #[must_use]
    pub fn passing(&self) -> Vec<u8> {
        let Some(root) = self.root else {
            return vec![0; self.of_sample.len()];
        };
        let inside = crate::views::graph::below(&self.parents, Some(root));
        self.of_sample.iter().map(|&row| u8::from(index(row).is_some_and(|row| inside[row]))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Arrangement, Place, arranged};
    use crate::views::selection::{Samples, Selection};
    use crate::views::shape::Shape;
    use crate::views::view::View;

    // ?(0) ─ ?(1) ─ read(2), ?(3) ─ read(4), main(5) ─ read(6); ? are frames 0 and 1, read is 2, main is 3.
    const PARENTS: [i32; 7] = [-1, 0, 1, -1, 3, -1, 5];
    const FRAMES: [i32; 7] = [0, 1, 2, 1, 2, 3, 2];
    const NAMELESS: [u8; 4] = [1, 1, 0, 0];

    fn view() -> View {
        let nodes = [2, 4, 6, 2, -1];
        let samples = Samples {
            nodes: &nodes,
            weights: &[1.0, 2.0, 4.0, 8.0, 16.0],
            counts: &[1.0; 5],
            times: None,
            cpus: None,
            threads: &[0, 0, 0, 1, 1],
        };
        View::new(&PARENTS, &FRAMES, &samples, &Selection::default(), &Shape::default())
    }

    #[test]
    fn neighbours_without_symbols_are_one_row_and_so_is_what_they_called() {
        let how = Arrangement { commands: None, nameless: Some(&NAMELESS), frame_count: 4, namesakes: &[] };
        let result = arranged(&view(), &how, &[], None);
        assert_eq!((result.parents, result.frames), (vec![-1, 0, -1, 2], vec![4, 2, 3, 2]));
        assert_eq!((result.joined, result.origin), (vec![3, 0, 0, 0], vec![0, 2, 5, 6]));
        assert_eq!(result.totals, [11.0, 11.0, 4.0, 4.0]);
    }

    #[test]
    fn commands_are_the_first_level_and_hold_samples_without_stack() {
        let how = Arrangement { commands: Some(&[0, 1]), nameless: None, frame_count: 4, namesakes: &[] };
        let result = arranged(&view(), &how, &[], Some(Place::Command(1)));
        assert_eq!(result.frames, [5, 0, 1, 2, 1, 2, 3, 2, 6, 0, 1, 2]);
        assert_eq!((result.totals[0], result.totals[8], result.weights[8]), (7.0, 24.0, 16.0));
        assert_eq!((result.origin[8], result.root), (-2, Some(8)));
    }

    #[test]
    fn a_stack_that_begins_with_its_command_names_it_once() {
        let how = Arrangement {
            commands: Some(&[0, 1]),
            nameless: None,
            frame_count: 4,
            namesakes: &[-1, -1, -1, 0],
        };
        let result = arranged(&view(), &how, &[], None);
        assert_eq!(result.frames[..6], [5, 0, 1, 2, 1, 2]);
        assert_eq!(result.frames[6..], [2, 6, 0, 1, 2]);
    }

    #[test]
    fn a_node_of_two_commands_means_its_heaviest_row() {
        let how = Arrangement {
            commands: Some(&[0, 1]),
            nameless: Some(&NAMELESS),
            frame_count: 4,
            namesakes: &[],
        };
        let result = arranged(&view(), &how, &[4], Some(Place::Node(2)));
        assert_eq!(result.root.map(|row| result.totals[row]), Some(8.0));
        assert_eq!(result.kept.iter().map(|&row| result.origin[row]).collect::<Vec<_>>(), [4]);
        assert_eq!(result.passing(), [0, 0, 0, 1, 0]);
    }
}
